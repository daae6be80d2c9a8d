//! What a source in Rust is made of, as far as mutants need it.

use std::ops::Range;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Word,
    Mark,
    Other,
}

/// A word, a mark of one character, or a literal or a lifetime.
struct Token {
    kind: Kind,
    at: Range<usize>,
}

/// The tokens of a source, without its comments.
fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let word_end = |from: usize| from + bytes[from..].iter().take_while(|byte| is_word(**byte)).count();
    // The end of a literal that ends with this mark, where backslashes escape.
    let quoted = |mut k: usize, mark: u8| {
        while bytes[k] != mark {
            k += if bytes[k] == b'\\' { 2 } else { 1 };
        }
        k + 1
    };
    let (mut found, mut k) = (Vec::new(), 0);
    while k < bytes.len() {
        let start = k;
        let (kind, end) = match bytes[k] {
            byte if byte.is_ascii_whitespace() => {
                k += 1;
                continue;
            }
            b'/' if text[k..].starts_with("//") => {
                k += text[k..].find('\n').unwrap_or(text.len() - k);
                continue;
            }
            b'/' if text[k..].starts_with("/*") => {
                let mut depth = 0;
                loop {
                    if text.is_char_boundary(k) && text[k..].starts_with("/*") {
                        (depth, k) = (depth + 1, k + 2);
                    } else if text.is_char_boundary(k) && text[k..].starts_with("*/") {
                        (depth, k) = (depth - 1, k + 2);
                    } else {
                        k += 1;
                    }
                    if depth == 0 {
                        break;
                    }
                }
                continue;
            }
            b'"' => (Kind::Other, quoted(k + 1, b'"')),
            b'\'' => {
                let rest: Vec<char> = text[k + 1..].chars().take(2).collect();
                match rest[..] {
                    ['\\', ..] => (Kind::Other, quoted(k + 1, b'\'')),
                    [c, '\''] => (Kind::Other, k + 2 + c.len_utf8()),
                    _ => (Kind::Other, word_end(k + 1)),
                }
            }
            byte if byte.is_ascii_digit() => {
                let mut end = word_end(k);
                let then = bytes.get(end + 1);
                if bytes.get(end) == Some(&b'.') && then.is_some_and(u8::is_ascii_digit) {
                    end = word_end(end + 1);
                }
                if text[k..end].ends_with(['e', 'E'])
                    && !text[k..end].starts_with("0x")
                    && bytes.get(end) == Some(&b'-')
                {
                    end = word_end(end + 1);
                }
                (Kind::Other, end)
            }
            byte if is_word(byte) => {
                let end = word_end(k);
                let hashes = bytes[end..].iter().take_while(|byte| **byte == b'#').count();
                let opens = bytes.get(end + hashes) == Some(&b'"');
                match &text[k..end] {
                    "r" | "br" | "cr" if opens => {
                        let close = format!("\"{}", "#".repeat(hashes));
                        let from = end + hashes + 1;
                        (Kind::Other, from + text[from..].find(&close).expect("a raw string ends") + close.len())
                    }
                    "b" | "c" if hashes == 0 && opens => (Kind::Other, quoted(end + 1, b'"')),
                    "b" if bytes.get(end) == Some(&b'\'') => (Kind::Other, quoted(end + 1, b'\'')),
                    "r" if hashes == 1 => (Kind::Word, word_end(end + 1)),
                    _ => (Kind::Word, end),
                }
            }
            _ => (Kind::Mark, k + 1),
        };
        found.push(Token { kind, at: start..end });
        k = end;
    }
    found
}

/// The body of a function. Of one that returns a type without a name, which would not be the same for each of its mutants, that of a closure instead.
pub struct Body {
    /// With its braces.
    pub at: Range<usize>,
    /// The word `const` before the function.
    pub word: Option<Range<usize>>,
    /// The word `always`, if it is inlined wherever it is called.
    pub always: Option<Range<usize>>,
}

/// A constant item, from its visibility to its semicolon.
pub struct Constant {
    pub at: Range<usize>,
    /// From the start to the word `const`.
    pub visibility: Range<usize>,
    pub name: String,
    pub of_type: Range<usize>,
    /// Empty if it has none.
    pub value: Range<usize>,
    /// Whether it is in an implementation or a trait.
    pub is_associated: bool,
}

/// What a source is made of.
pub struct Source<'a> {
    pub text: &'a str,
    tokens: Vec<Token>,
    pub bodies: Vec<Body>,
    pub constants: Vec<Constant>,
}

impl<'a> Source<'a> {
    pub fn new(text: &'a str) -> Self {
        let mut source = Self { text, tokens: tokens(text), bodies: Vec::new(), constants: Vec::new() };
        let mut blocks: Vec<bool> = Vec::new();
        let mut k = 0;
        while k < source.tokens.len() {
            match source.word(k) {
                "{" => {
                    let begin = (0..k).rev().find(|i| [";", "{", "}"].contains(&source.word(*i))).map_or(0, |i| i + 1);
                    let is = |word| (begin..k).any(|i| source.word(i) == word);
                    blocks.push((is("impl") || is("trait")) && !is("fn"));
                }
                "}" => drop(blocks.pop()),
                "fn" if source.is_word(k + 1) => {
                    if let Some(open) = source.ahead(k, &["{", ";"]).filter(|open| source.word(*open) == "{") {
                        let returned = source.ahead(k, &["-"]).filter(|arrow| *arrow < open).unwrap_or(open);
                        let block = |k: usize| source.tokens[k].at.start..source.tokens[source.closing(k)].at.end;
                        if (returned..open).any(|i| source.word(i) == "impl") {
                            let starts = |k: &usize| source.word(*k) == "{" && source.word(k - 1) == "|";
                            let closures = (open..source.closing(open)).filter(starts);
                            let closures = closures.map(|k| Body { at: block(k), word: None, always: None });
                            let closures: Vec<_> = closures.collect();
                            source.bodies.extend(closures);
                        } else {
                            let begin = (0..k).rev().find(|i| [";", "{", "}"].contains(&source.word(*i)));
                            let always = (begin.unwrap_or(0)..k).find(|i| source.word(*i) == "always");
                            let always = always.map(|i| source.tokens[i].at.clone());
                            let is_const = k > 0 && source.word(k - 1) == "const";
                            let word = is_const.then(|| source.tokens[k - 1].at.clone());
                            let body = Body { at: block(open), word, always };
                            source.bodies.push(body);
                        }
                    }
                }
                "const" if source.is_word(k + 1) && source.word(k + 1) != "fn" && source.word(k + 2) == ":" => {
                    if let Some(constant) = source.constant(k, blocks.last() == Some(&true)) {
                        source.constants.push(constant);
                    }
                }
                _ => {}
            }
            k += 1;
        }
        source
    }

    fn word(&self, k: usize) -> &'a str {
        self.tokens.get(k).map_or("", |token| &self.text[token.at.clone()])
    }

    fn is_word(&self, k: usize) -> bool {
        self.tokens.get(k).is_some_and(|token| token.kind == Kind::Word)
    }

    /// The next of these marks that is in no brackets.
    fn ahead(&self, from: usize, marks: &[&str]) -> Option<usize> {
        let mut depth = 0;
        for k in from..self.tokens.len() {
            let word = self.word(k);
            if depth == 0 && marks.contains(&word) {
                return Some(k);
            }
            match word {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" if depth == 0 => return None,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
        }
        None
    }

    fn closing(&self, open: usize) -> usize {
        let mut depth = 0;
        for k in open..self.tokens.len() {
            match self.word(k) {
                "{" => depth += 1,
                "}" if depth == 1 => return k,
                "}" => depth -= 1,
                _ => {}
            }
        }
        panic!("braces that do not end");
    }

    fn constant(&self, k: usize, is_associated: bool) -> Option<Constant> {
        let end = self.ahead(k, &[";"])?;
        let value = self.ahead(k, &["="]).filter(|equals| *equals < end);
        let mut begin = k;
        if self.word(k - 1) == "pub" {
            begin = k - 1;
        } else if self.word(k - 1) == ")" {
            let open = (0..k).rev().find(|i| self.word(*i) == "(")?;
            begin = if self.word(open - 1) == "pub" { open - 1 } else { k };
        }
        let at = |k: usize| self.tokens[k].at.clone();
        Some(Constant {
            at: at(begin).start..at(end).end,
            visibility: at(begin).start..at(k).start,
            name: self.word(k + 1).to_owned(),
            of_type: at(k + 3).start..at(value.unwrap_or(end)).start,
            value: value.map_or(at(end).start..at(end).start, |value| at(value).end..at(end).start),
            is_associated,
        })
    }

    /// Where a name stands by itself within a range: without a path before it, and not where it is defined.
    pub fn alone(&self, name: &str, within: &Range<usize>) -> Vec<Range<usize>> {
        let stands = |k: &usize| {
            let before = |n: usize| if *k < n { "" } else { self.word(k - n) };
            let at = &self.tokens[*k].at;
            let is_of_path = before(1) == ":" && before(2) == ":" || [".", "const", "fn"].contains(&before(1));
            self.word(*k) == name && within.start <= at.start && at.end <= within.end && !is_of_path
        };
        (0..self.tokens.len()).filter(stands).map(|k| self.tokens[k].at.clone()).collect()
    }

    /// Where a name follows a type: `Self::NAME`, `F::NAME`, `f32::NAME`, `<f32 as Trait>::NAME`.
    pub fn of_types(&self, name: &str, within: &Range<usize>) -> Vec<Range<usize>> {
        let stands = |k: &usize| {
            let at = &self.tokens[*k].at;
            if self.word(*k) != name || *k < 3 || at.start < within.start || within.end < at.end {
                return false;
            }
            let owner = self.word(k - 3);
            let is_type = [">", "f32", "f64"].contains(&owner) || owner.starts_with(|c: char| c.is_ascii_uppercase());
            self.word(k - 1) == ":" && self.word(k - 2) == ":" && is_type
        };
        (0..self.tokens.len()).filter(stands).map(|k| self.tokens[k].at.clone()).collect()
    }

    /// The place of the name of a constant in its item.
    pub fn name_of(&self, constant: &Constant) -> Range<usize> {
        let k = self.tokens.iter().position(|token| token.at.start == constant.visibility.end).expect("the word const");
        self.tokens[k + 1].at.clone()
    }
}
