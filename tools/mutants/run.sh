#!/usr/bin/env bash
# Runs the mutants that lie beside this script, where `tools/mutants.sh --build` has put them: side by side, and on any machine, since they are built.
#
# Usage: ./run [PART] [JOBS]: those whose text contains PART, so many at a time (as many as there are cores). With MUTANTS_LOG=FILE, outcomes are added to a file:
# mutants that it says were killed, and suites that it says pass without one, are not run again, and mutants that had begun when an earlier run was ended come last. TANGENCY_TEST_ONLY names the adapters that kernels are tested on (a software adapter).
#
# A mutant meets its suites one after the other, with few random cases first, and with many if none of them notices anything. A test that
# has noticed must pass without the mutant, or nothing follows from that.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
part=${1:-} most=${2:-$(nproc)}
log=${MUTANTS_LOG:+$(realpath "$MUTANTS_LOG")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work"/{results,seconds,unbroken,cache}
# Programs take the place of packages: they read their data from here, and may not be in each other's way.
export CARGO_MANIFEST_DIR=$here RUST_TEST_THREADS=${RUST_TEST_THREADS:-2} PROPTEST_RNG_SEED=${PROPTEST_RNG_SEED:-1}
# Shaders that are not broken are compiled once.
export MESA_SHADER_CACHE_DIR=$work/cache TANGENCY_TEST_SHADER_CACHE=$work/cache
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-$work} TANGENCY_TEST_ONLY=${TANGENCY_TEST_ONLY-vulkan:llvmpipe}
cd "$here"

# Four fields for each: its number, its file, its suites, and its text with the replacement.
numbers=()
declare -A file_of suites_of name_of was_killed had_begun has_passed
mapfile -d '' -t fields <list
if [ -n "$log" ] && [ -e "$log" ]; then
  while IFS= read -r line; do
    [[ $line != "killed    "* ]] || was_killed["${line##*\{}${line% (by *}"]=1
    [[ $line != "begun     "* ]] || had_begun["${line#begun     }"]=1
    [[ ! $line =~ ^unbroken\ \ ([0-9]+)\ \{(.*)\}$ ]] || has_passed["${BASH_REMATCH[2]}"]=${BASH_REMATCH[1]}
  done <"$log"
fi
before=0
for ((k = 0; k < ${#fields[@]}; k += 4)); do
  number=${fields[k]} name=${fields[k + 3]//$'\n'/ }
  [[ "${fields[k + 1]} $name" == *"$part"* ]] || continue
  if [ -n "${was_killed["${fields[k + 2]}}killed    ${fields[k + 1]}: $name"]:-}" ]; then
    before=$((before + 1))
    continue
  fi
  numbers+=("$number") file_of[$number]=${fields[k + 1]} suites_of[$number]=${fields[k + 2]} name_of[$number]="${fields[k + 1]}: $name"
done
[ "$before" = 0 ] || echo "$before mutants were killed before"

# What tests do with few cases or many: meet NUMBER SUITE MANY SECONDS, where no number is none. Sets `killer` to the first test that fails, if one does,
# `place` to where it is, and `ran` to whether there are such tests.
meet() {
  local number=$1 words word program="" gpu=0 arguments=() input line place_of='panicked at ([a-z_/0-9]+\.rs:[0-9]+)' status=0 id
  killer="" place="" ran=false
  read -ra words <<<"$2"
  while [ ${#words[@]} -gt 0 ]; do
    case ${words[0]} in
      --features) gpu=1 words=("${words[@]:1}") ;;
      --lib) program=lib ;;
      --test) program=${words[1]} words=("${words[@]:1}") ;;
      *) arguments+=("${words[0]}") ;;
    esac
    words=("${words[@]:1}")
  done
  local settings=(TANGENCY_TEST_LONG="$3" TANGENCY_REQUIRE_GPU="$gpu" TANGENCY_MUTANT="${number:-4294967295}")
  if [ $gpu = 1 ]; then
    settings+=(TANGENCY_TEST_SHADERS="$here/shaders")
    [ -z "$number" ] || settings+=(TANGENCY_TEST_BROKEN="${file_of[$number]}")
    [ ! -e "broken/$number.wgsl" ] || settings+=(TANGENCY_TEST_SHADERS="$work/shaders.$number")
  else
    # As if it had been built without the feature.
    settings+=(TANGENCY_TEST_WITHOUT_GPU=1)
    arguments+=(--skip gpu:: --skip choice:: --skip resident::)
  fi
  # A program of its own, where the mutant could not be built with the others.
  program=programs/$program
  [ ! -x "$program-$number" ] || program=$program-$number
  exec {input}< <(exec env "${settings[@]}" timeout -k 10 "$4" "./$program" "${arguments[@]}" 2>&1 </dev/null)
  id=$!
  while IFS= read -r line <&"$input"; do
    case $line in
      "running "[1-9]*) ran=true ;;
      "test "*" ... FAILED")
        killer=${killer:-${line#test }}
        killer=${killer% ... FAILED} killer=${killer% - should panic}
        # The first that fails is enough; where kernels are tested, one test is many, and says below where it has failed.
        [[ $killer == gpu::tests::every_adapter ]] || { kill "$id" 2>/dev/null || true; break; }
        ;;
      *"parsing error"* | *"Shader validation error"*) place="a shader that does not compile" ;;
    esac
    [[ -n $place || ! $line =~ $place_of ]] || place=${BASH_REMATCH[1]}
  done
  exec {input}<&-
  wait "$id" || status=$?
  if [ -z "$killer" ] && [ $status = 124 ]; then
    killer="a test that does not end"
  elif [ -z "$killer" ] && [ $status != 0 ]; then
    killer="the end of the program ($status)"
  fi
}

# The suite without a mutant: how long it takes, or that it fails.
unbroken() { # unbroken SUITE NUMBER-OF-IT
  local start=$EPOCHREALTIME took=${has_passed[$1]:-}
  if [ -z "$took" ]; then
    meet "" "$1" 0 3600
    took=$((${EPOCHREALTIME/[.,]/} / 1000 - ${start/[.,]/} / 1000))
    if [ -n "$killer" ]; then
      echo "$1: fails without a mutant (by $killer${place:+, $place})" | tee "$work/failed.$2" >&2
    elif ! $ran; then
      echo "no test is named as in $1" | tee "$work/failed.$2" >&2
    elif [ -n "$log" ]; then
      echo "unbroken  $took {$1}" >>"$log"
    fi
  fi
  echo "$took" >"$work/unbroken/$2"
}

# A mutant's outcome: killed by what, survived, or an error in the list.
outcome() {
  local number=$1 say=$2
  printf '%s\n' "$say" >"$work/results/$number"
  printf '%s\n' "$say"
  [ -z "$log" ] || printf '%s {%s}\n' "$say" "${suites_of[$number]}" >>"$log"
}

# Whether the test that noticed passes without the mutant: with few cases it did.
is_fault_of_mutant() { # is_fault_of_mutant SUITE MANY
  local killed_by=$killer at=$place words=($1) found
  [ "$2" = 1 ] || return 0
  case $killed_by in *" "*) words=("$1") ;; *) words=("${words[@]/*::*/}" --exact "$killed_by") ;; esac
  meet "" "${words[*]}" 1 7200
  found=$killer killer=$killed_by place=$at
  [ -z "$found" ]
}

run_mutant() {
  local number=$1 suites suite many limit file=${file_of[$1]} name=${name_of[$1]}
  [ -z "$log" ] || echo "begun     $name {${suites_of[$number]}}" >>"$log"
  if [ -e "broken/$number.wgsl" ]; then
    cp -r shaders "$work/shaders.$number"
    cp "broken/$number.wgsl" "$work/shaders.$number/${file#shaders/}"
  fi
  IFS=';' read -ra suites <<<"${suites_of[$number]}"
  # Many cases take too long for kernels.
  for many in 0 1; do
    for suite in "${suites[@]}"; do
      [[ $many = 0 || $suite != *gpu::* ]] || continue
      limit=1800
      [ $many = 1 ] || limit=$((120 + ${milliseconds[$suite]} / 50))
      meet "$number" "$suite" $many $limit
      [ -n "$killer" ] || continue
      rm -rf "$work/shaders.$number"
      if [ "$place" = "a shader that does not compile" ]; then
        outcome "$number" "ERROR     this mutant does not compile: $name"
      elif is_fault_of_mutant "$suite" $many; then
        outcome "$number" "killed    $name (by $killer${place:+, $place})"
      else
        outcome "$number" "ERROR     without this mutant the test fails too: $name (by $killer)"
      fi
      return
    done
  done
  rm -rf "$work/shaders.$number"
  outcome "$number" "SURVIVED  $name"
}

side_by_side() { # side_by_side COMMAND…: when fewer than the most are at work.
  while [ "$(jobs -rp | wc -l)" -ge "$most" ]; do wait -n || true; done
  "$@" &
}

# Unbroken programs pass, or nothing that follows means anything.
start=$SECONDS
declare -A milliseconds
all=()
for number in "${numbers[@]}"; do
  IFS=';' read -ra suites <<<"${suites_of[$number]}"
  for suite in "${suites[@]}"; do
    [ -n "${milliseconds[$suite]:-}" ] || all+=("$suite")
    milliseconds[$suite]=0
  done
done
for k in "${!all[@]}"; do side_by_side unbroken "${all[k]}" "$k"; done
wait
! compgen -G "$work/failed.*" >/dev/null || exit 2
for k in "${!all[@]}"; do milliseconds[${all[k]}]=$(<"$work/unbroken/$k"); done
echo "${#all[@]} suites pass without a mutant: $((SECONDS - start)) s"

# Those that may take longest first.
while read -r _ number; do
  side_by_side run_mutant "$number"
done < <(for number in "${numbers[@]}"; do
  IFS=';' read -ra suites <<<"${suites_of[$number]}" && sum=0
  for suite in "${suites[@]}"; do sum=$((sum + ${milliseconds[$suite]})); done
  [ -z "${had_begun["${name_of[$number]} {${suites_of[$number]}}"]:-}" ] || sum=0
  echo "$sum $number"
done | sort -rn -k 1,1)
wait
total=$((${#numbers[@]} + before)) killed=$before
for number in "${numbers[@]}"; do
  line=$(<"$work/results/$number") || line="ERROR     no outcome: ${name_of[$number]}"
  case $line in killed*) killed=$((killed + 1)) ;; *) echo "$line" ;; esac
done
echo "mutants: $total, killed: $killed, not killed: $((total - killed)); $((SECONDS - start)) s, $most at a time"
[ "$killed" = "$total" ] && [ "$total" -gt 0 ]
