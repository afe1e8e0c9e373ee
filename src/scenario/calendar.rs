//! Calendar months and dates as they are written in a scenario.
//!
//! Nothing here knows what day it is today.

use std::fmt;

/// A calendar month.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Month {
    pub year: u32,
    /// From 1.
    pub month: u32,
}

/// A calendar date.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Date {
    pub month: Month,
    /// From 1.
    pub day: u32,
}

impl Month {
    /// Reads `2027-01`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (year, month) = text.split_once('-')?;
        let month = Self { year: digits(year, 4)?, month: digits(month, 2)? };
        ((1..=12).contains(&month.month) && 1 <= month.year).then_some(month)
    }

    /// The month so many months later.
    #[must_use]
    pub fn plus(self, months: u32) -> Self {
        let from_zero = self.month.saturating_sub(1).saturating_add(months);
        Self { year: self.year.saturating_add(from_zero / 12), month: from_zero % 12 + 1 }
    }

    fn days(self) -> u32 {
        match self.month {
            2 if self.year.is_multiple_of(4) && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400)) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }
}

impl Date {
    /// Reads `2026-11-27`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (month, day) = text.rsplit_once('-')?;
        let date = Self { month: Month::parse(month)?, day: digits(day, 2)? };
        (1..=date.month.days()).contains(&date.day).then_some(date)
    }

    /// The date so many days after the first of January 1970, in UTC.
    #[must_use]
    pub fn from_days_since_1970(days: u64) -> Self {
        let mut left = days;
        let mut month = Month { year: 1970, month: 1 };
        // Whole years first, so that far dates do not take long.
        while left >= 366 && month.year < 9999 {
            left -= if (Month { month: 2, ..month }).days() == 29 { 366 } else { 365 };
            month.year += 1;
        }
        while left >= u64::from(month.days()) && month.year < 9999 {
            left -= u64::from(month.days());
            month = month.plus(1);
        }
        Self { month, day: u32::try_from(left).unwrap_or(0).min(month.days() - 1) + 1 }
    }

    /// The same day one year later; the 29th of February becomes the 28th.
    #[must_use]
    pub fn next_year(self) -> Self {
        let month = Month { year: self.month.year.saturating_add(1), ..self.month };
        Self { month, day: self.day.min(month.days()) }
    }
}

fn digits(text: &str, length: usize) -> Option<u32> {
    let plain = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

impl fmt::Display for Month {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:04}-{:02}", self.year, self.month)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}-{:02}", self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_exist_or_do_not() {
        for exists in ["2026-11-27", "2024-02-29", "2000-02-29", "2027-12-31"] {
            assert_eq!(Date::parse(exists).map(|date| date.to_string()).as_deref(), Some(exists));
        }
        for missing in [
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-04-31",
            "2026-1-01",
            "26-01-01",
            "2026-01",
            "",
            "+026-01-01",
        ] {
            assert_eq!(Date::parse(missing), None, "{missing}");
        }
    }

    #[test]
    fn days_count_from_1970() {
        for (days, date) in [(0, "1970-01-01"), (365, "1971-01-01"), (19_782, "2024-02-29"), (20_787, "2026-11-30")] {
            assert_eq!(Date::from_days_since_1970(days).to_string(), date);
        }
    }

    #[test]
    fn months_go_on_over_the_year() {
        let start = Month::parse("2027-11").expect("a month");
        assert_eq!(start.plus(3).to_string(), "2028-02");
    }
}
