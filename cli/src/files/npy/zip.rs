//! The members of a zip archive, stored or deflated, as numpy writes them.

/// One file of an archive.
pub struct Member<'a> {
    pub name: String,
    /// As it is stored.
    data: &'a [u8],
    /// Where the data begins in the archive.
    at: usize,
    deflated: bool,
    size: usize,
    checksum: u32,
}

/// A byte of the archive, and what is wrong there.
type Error = (usize, String);

impl Member<'_> {
    pub fn content(&self) -> Result<Vec<u8>, Error> {
        let content = if self.deflated {
            // Not one byte more than was announced.
            miniz_oxide::inflate::decompress_to_vec_with_limit(self.data, self.size)
                .map_err(|error| (self.at, format!("{} cannot be decompressed: {error}", self.name)))?
        } else {
            self.data.to_vec()
        };
        if content.len() != self.size || crc32(&content) != self.checksum {
            return Err((self.at, format!("{} is damaged: its checksum is wrong", self.name)));
        }
        Ok(content)
    }
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    Some(usize::from(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?)))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// The central directory ends the archive: 22 bytes, and a comment of up to 64 KiB after them.
pub fn members(bytes: &[u8]) -> Result<Vec<Member<'_>>, Error> {
    let least = bytes.len().saturating_sub(22 + 0xffff);
    let end = (least..bytes.len().saturating_sub(21)).rev().find(|at| bytes[*at..].starts_with(b"PK\x05\x06"));
    let Some(end) = end else {
        return Err((bytes.len(), "this is no zip archive, or its end is missing".to_owned()));
    };
    let (Some(count), Some(start)) = (word(bytes, end + 10), long(bytes, end + 16)) else {
        return Err((end, "the directory of the archive is cut off".to_owned()));
    };
    let (mut at, mut members) = (start as usize, Vec::new());
    for _ in 0..count {
        let (member, length) =
            member(bytes, at).ok_or_else(|| (at, "the directory of the archive is damaged".to_owned()))??;
        members.push(member);
        at += length;
    }
    Ok(members)
}

/// An entry of the directory, and its length; absent if it is cut off.
fn member(bytes: &[u8], at: usize) -> Option<Result<(Member<'_>, usize), Error>> {
    if !bytes.get(at..)?.starts_with(b"PK\x01\x02") {
        return None;
    }
    let (flags, method) = (word(bytes, at + 8)?, word(bytes, at + 10)?);
    let (checksum, stored, size) = (long(bytes, at + 16)?, long(bytes, at + 20)?, long(bytes, at + 24)?);
    let (name_length, extra, comment) = (word(bytes, at + 28)?, word(bytes, at + 30)?, word(bytes, at + 32)?);
    let local = long(bytes, at + 42)?;
    let name = String::from_utf8_lossy(bytes.get(at + 46..at + 46 + name_length)?).into_owned();
    if [stored, size, local].contains(&u32::MAX) {
        return Some(Err((at, format!("{name} is larger than 4 GiB; save it as a .npy"))));
    }
    if flags & 1 == 1 || ![0, 8].contains(&method) {
        return Some(Err((at, format!("{name} is encrypted, or compressed otherwise than by deflate"))));
    }
    let local = local as usize;
    if !bytes.get(local..)?.starts_with(b"PK\x03\x04") {
        return None;
    }
    // The entry before the data has lengths of its own.
    let start = local + 30 + word(bytes, local + 26)? + word(bytes, local + 28)?;
    let data = bytes.get(start..start.checked_add(stored as usize)?)?;
    let member = Member { name, data, at: start, deflated: method == 8, size: size as usize, checksum };
    Some(Ok((member, 46 + name_length + extra + comment)))
}

/// The checksum of zip archives, of the reversed polynomial 0xEDB88320, four bits at a time.
fn crc32(bytes: &[u8]) -> u32 {
    let table: [u32; 16] =
        std::array::from_fn(|k| (0..4).fold(k as u32, |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 }));
    let step = |crc: u32| crc >> 4 ^ table[(crc & 15) as usize];
    !bytes.iter().fold(!0, |crc, byte| step(step(crc ^ u32::from(*byte))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive of one member, `a.npy`, whose stored bytes are given.
    fn archive(method: u8, content: &[u8], stored: &[u8]) -> Vec<u8> {
        let sizes =
            [crc32(content).to_le_bytes(), (stored.len() as u32).to_le_bytes(), (content.len() as u32).to_le_bytes()]
                .concat();
        let common = [&[20, 0, 0, 0, method, 0, 0, 0, 0, 0][..], &sizes, &[5, 0, 0, 0]].concat();
        let local = [b"PK\x03\x04", &common[..], b"a.npy", stored].concat();
        let entry = [b"PK\x01\x02\x14\x00", &common[..], &[0; 10], &[0; 4], b"a.npy"].concat();
        let sizes = [(entry.len() as u32).to_le_bytes(), (local.len() as u32).to_le_bytes()].concat();
        [&local[..], &entry, b"PK\x05\x06\x00\x00\x00\x00\x01\x00\x01\x00", &sizes, &[0, 0]].concat()
    }

    #[test]
    fn the_checksum_is_that_of_zip() {
        assert_eq!((crc32(b""), crc32(b"123456789")), (0, 0xcbf4_3926));
    }

    #[test]
    fn members_are_read_back() {
        let text = b"to be or not to be, or not".repeat(20);
        let deflated = miniz_oxide::deflate::compress_to_vec(&text, 6);
        for bytes in [archive(0, &text, &text), archive(8, &text, &deflated)] {
            let members = members(&bytes).unwrap();
            assert_eq!((members.len(), members[0].name.as_str()), (1, "a.npy"));
            assert_eq!(members[0].content().unwrap(), text);
        }
    }

    #[test]
    fn damage_is_told() {
        let text = b"to be or not to be, or not".repeat(20);
        let deflated = miniz_oxide::deflate::compress_to_vec(&text, 6);
        let good = archive(8, &text, &deflated);
        assert!(members(&good[..good.len() - 30]).err().unwrap().1.contains("no zip archive"));
        assert!(members(b"").is_err() && members(b"PK\x05\x06").is_err());
        let mut other = good.clone();
        other[40] ^= 0x55;
        assert!(members(&other).unwrap()[0].content().is_err());
        let wrong = archive(8, &text[1..], &deflated);
        assert!(members(&wrong).unwrap()[0].content().is_err(), "more than was announced");
        let strange = archive(12, &text, &text);
        assert!(members(&strange).err().unwrap().1.contains("otherwise than by deflate"));
        // However it is cut or changed, it is read or refused.
        for k in 0..good.len() {
            let mut changed = good.clone();
            changed[k] ^= 0xff;
            for bytes in [&changed[..], &good[..k]] {
                if let Ok(members) = members(bytes) {
                    for member in &members {
                        drop(member.content());
                    }
                }
            }
        }
    }
}
