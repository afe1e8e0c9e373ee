//! Ids from names, and names and ids that nothing in a list has yet.
//!
//! Nothing here knows what is named.

/// An id longer than this is no help in a path.
const LONGEST: usize = 60;

/// The id that a name suggests: its words in lower case joined by hyphens. Empty where no letter or digit of it can be
/// written in an id.
#[must_use]
pub fn of_name(name: &str) -> String {
    let plain: String = name.chars().take(LONGEST).map(plain).collect();
    let words = plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

/// A letter without its accent, so that a name does not fall apart at it.
fn plain(letter: char) -> &'static str {
    const ASCII: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    if let Some(at) = ASCII.find(letter) {
        return ASCII.get(at..=at).unwrap_or_default();
    }
    match letter {
        'ä' | 'Ä' | 'æ' | 'Æ' => "ae",
        'ö' | 'Ö' | 'ø' | 'Ø' | 'œ' | 'Œ' => "oe",
        'ü' | 'Ü' => "ue",
        'ß' => "ss",
        'à' | 'á' | 'â' | 'ã' | 'å' | 'À' | 'Á' | 'Â' | 'Ã' | 'Å' => "a",
        'ç' | 'Ç' => "c",
        'è' | 'é' | 'ê' | 'ë' | 'È' | 'É' | 'Ê' | 'Ë' => "e",
        'ì' | 'í' | 'î' | 'ï' | 'Ì' | 'Í' | 'Î' | 'Ï' => "i",
        'ñ' | 'Ñ' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'Ò' | 'Ó' | 'Ô' | 'Õ' => "o",
        'ù' | 'ú' | 'û' | 'Ù' | 'Ú' | 'Û' => "u",
        'ý' | 'ÿ' | 'Ý' => "y",
        '\'' | '’' => "",
        _ => " ",
    }
}

/// An id for something of this name that no other of its list has: `aws`, or where that is taken `aws-2`, `aws-3` …
#[must_use]
pub fn free_id<'t>(wanted_name: &str, taken: impl IntoIterator<Item = &'t str>) -> String {
    let wanted = of_name(wanted_name);
    let wanted = if wanted.is_empty() { "new".into() } else { wanted };
    free(&wanted, '-', taken)
}

/// A name that no other of its list has: `Cloud`, or where that is taken `Cloud 2`, `Cloud 3` …
#[must_use]
pub fn free_name<'t>(wanted: &str, taken: impl IntoIterator<Item = &'t str>) -> String {
    free(wanted, ' ', taken)
}

fn free<'t>(wanted: &str, joint: char, taken: impl IntoIterator<Item = &'t str>) -> String {
    let taken: Vec<&str> = taken.into_iter().collect();
    if !taken.contains(&wanted) {
        return wanted.into();
    }
    // `aws-2` is followed by `aws-3`, not by `aws-2-2`.
    let (stem, number) = match wanted.rsplit_once(joint) {
        Some((stem, digits)) => digits.parse::<u32>().map_or((wanted, 1), |number| (stem, number)),
        None => (wanted, 1),
    };
    let mut later = (1..).map(|step| format!("{stem}{joint}{}", u64::from(number) + step));
    later.find(|name| !taken.contains(&name.as_str())).expect("a list ends before the numbers do")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_words_of_the_name() {
        for (name, id) in [
            ("AWS us-east-1, p5.48xlarge", "aws-us-east-1-p5-48xlarge"),
            ("One’s own hall", "ones-own-hall"),
            ("Größe: 8× H100", "groesse-8-h100"),
            ("  ", ""),
            ("数据中心", ""),
        ] {
            assert_eq!(of_name(name), id);
        }
    }

    #[test]
    fn what_is_taken_is_counted_on() {
        assert_eq!(free_id("AWS", []), "aws");
        assert_eq!(free_id("AWS", ["aws"]), "aws-2");
        assert_eq!(free_id("AWS", ["aws", "aws-2"]), "aws-3");
        assert_eq!(free_id("AWS 2", ["aws", "aws-2"]), "aws-3");
        assert_eq!(free_id("us-east", ["us-east"]), "us-east-2");
        assert_eq!(free_id("数据中心", ["new"]), "new-2");
        assert_eq!(free_name("Cloud", ["Cloud"]), "Cloud 2");
        assert_eq!(free_name("Cloud 2", ["Cloud", "Cloud 2"]), "Cloud 3");
    }
}
