//! Resolution of shader imports: each imported part comes once, after the parts that it imports itself.
//!
//! A part imports others by lines of the form `// import: lib/filters, lib/bounds`.

use std::borrow::Cow;

/// Why imports cannot be resolved.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ImportError {
    /// A part that does not exist, and the part that imports it.
    Unknown { name: String, importer: String },
    /// Parts that import each other: a path from one of them back to itself.
    Circle { names: Vec<String> },
}

impl std::fmt::Display for ImportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown { name, importer } => write!(f, "{importer} imports {name}, which does not exist"),
            Self::Circle { names } => write!(f, "parts import each other: {}", names.join(" -> ")),
        }
    }
}

/// The texts of a part and of everything that it imports, in dependency order.
pub(super) fn resolve<'a>(
    root: &str,
    find: &dyn Fn(&str) -> Option<Cow<'a, str>>,
) -> Result<Vec<Cow<'a, str>>, ImportError> {
    let mut resolver = Resolver { find, begun: Vec::new(), done: Vec::new(), texts: Vec::new() };
    resolver.add(root, "the table of modules")?;
    Ok(resolver.texts)
}

struct Resolver<'f, 'a> {
    find: &'f dyn Fn(&str) -> Option<Cow<'a, str>>,
    /// The parts whose imports are being added: the current path through the imports.
    begun: Vec<String>,
    done: Vec<String>,
    texts: Vec<Cow<'a, str>>,
}

impl Resolver<'_, '_> {
    fn add(&mut self, name: &str, importer: &str) -> Result<(), ImportError> {
        if self.done.iter().any(|done| done == name) {
            return Ok(());
        }
        if let Some(first) = self.begun.iter().position(|begun| begun == name) {
            let names = self.begun[first..].iter().cloned().chain([name.to_owned()]).collect();
            return Err(ImportError::Circle { names });
        }
        let text = (self.find)(name)
            .ok_or_else(|| ImportError::Unknown { name: name.to_owned(), importer: importer.to_owned() })?;
        self.begun.push(name.to_owned());
        for import in imports(&text) {
            self.add(import, name)?;
        }
        self.done.extend(self.begun.pop());
        self.texts.push(text);
        Ok(())
    }
}

/// The names in the import lines of a text.
fn imports(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.strip_prefix("// import:")).flat_map(|names| names.split(',')).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(root: &str, parts: &[(&'static str, &'static str)]) -> Result<Vec<Cow<'static, str>>, ImportError> {
        resolve(root, &|name| parts.iter().find(|(known, _)| *known == name).map(|(_, text)| Cow::from(*text)))
    }

    #[test]
    fn parts_come_once_and_after_what_they_need() {
        let parts = [
            ("a", "// About a.\n// import: b, c\n// import: d\nfn a() {}"),
            ("b", "// import: d\nfn b() {}"),
            ("c", "fn c() {}"),
            ("d", "// import: c\nfn d() {}"),
        ];
        let found = texts("a", &parts).expect("all are there");
        let order: Vec<&str> = found.iter().filter_map(|text| text.lines().last()).collect();
        assert_eq!(order, ["fn c() {}", "fn d() {}", "fn b() {}", "fn a() {}"]);
    }

    #[test]
    fn an_unknown_part_is_an_error_with_its_name() {
        let error = texts("a", &[("a", "// import: b"), ("b", "// import: lib/nowhere")]).expect_err("it is unknown");
        assert_eq!(error, ImportError::Unknown { name: "lib/nowhere".to_owned(), importer: "b".to_owned() });
        assert_eq!(error.to_string(), "b imports lib/nowhere, which does not exist");
    }

    #[test]
    fn a_circle_is_an_error_with_the_names_on_it() {
        let parts = [("a", "// import: b"), ("b", "// import: c"), ("c", "// import: b")];
        let error = texts("a", &parts).expect_err("it never ends");
        assert_eq!(error.to_string(), "parts import each other: b -> c -> b");
        assert_eq!(
            texts("a", &[("a", "// import: a")]).expect_err("itself").to_string(),
            "parts import each other: a -> a"
        );
    }
}
