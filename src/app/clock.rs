//! When something happened, and how the clock on the wall tells it.
//!
//! The only clock of the window that a person reads. What is told of it goes into the log of the steps and into no
//! figure.

use std::time::SystemTime;

use jiff::{Timestamp, tz::TimeZone};

/// A moment, told in the time zone of this machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment(Timestamp);

impl Moment {
    pub fn now() -> Self {
        // A clock outside the years that can be told is a clock that is not set.
        Self(Timestamp::try_from(SystemTime::now()).unwrap_or_default())
    }

    pub fn from_seconds(since_1970: i64) -> Self {
        Self(Timestamp::from_second(since_1970).unwrap_or_default())
    }

    pub fn seconds(self) -> i64 {
        self.0.as_second()
    }

    /// `14:32`
    pub fn time(self) -> String {
        self.told("%H:%M")
    }

    /// `2027-01-31 14:32`
    pub fn day_and_time(self) -> String {
        self.told("%Y-%m-%d %H:%M")
    }

    /// `2027-01-31 14:32:05`
    pub fn to_the_second(self) -> String {
        self.told("%Y-%m-%d %H:%M:%S")
    }

    fn told(self, format: &str) -> String {
        self.0.to_zoned_datetime(TimeZone::system()).strftime(format).to_string()
    }
}
