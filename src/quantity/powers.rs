//! Powers of ten, and division by them: what moving a decimal point comes to.
//!
//! Nothing here knows what a number means, or which way it is rounded.

/// The powers of ten that a mantissa can hold.
pub(super) const POWERS_OF_TEN: [i128; 39] = {
    let mut powers = [1; 39];
    let mut exponent = 1;
    while exponent < 39 {
        powers[exponent] = powers[exponent - 1] * 10;
        exponent += 1;
    }
    powers
};

/// The same in binary floating point, the nearest to each.
pub(super) const POWERS_IN_BINARY: [f64; POWERS_OF_TEN.len()] = {
    let mut powers = [1.0; POWERS_OF_TEN.len()];
    let mut exponent = 0;
    while exponent < powers.len() {
        powers[exponent] = POWERS_OF_TEN[exponent] as f64;
        exponent += 1;
    }
    powers
};

/// A power of ten as a factor.
#[derive(Clone, Copy)]
pub(super) struct Raise {
    pub(super) power: i128,
    /// The greatest magnitude that can be multiplied by it.
    limit: u128,
}

impl Raise {
    /// Whether the product with something other than zero can be held.
    #[inline]
    pub(super) const fn fits(&self, mantissa: i128) -> bool {
        mantissa.unsigned_abs().wrapping_sub(1) < self.limit
    }
}

pub(super) const RAISES: [Raise; POWERS_OF_TEN.len()] = {
    let mut raises = [Raise { power: 1, limit: i128::MAX as u128 }; POWERS_OF_TEN.len()];
    let mut exponent = 1;
    while exponent < raises.len() {
        let power = POWERS_OF_TEN[exponent];
        raises[exponent] = Raise { power, limit: (i128::MAX / power) as u128 };
        exponent += 1;
    }
    raises
};

/// 10^−k for as many digits as two numbers have after their points, as a word with its highest bit set, rounded down, and
/// the number of its bits after the binary point.
pub(super) const INVERSE_POWERS: [(u64, u32); 2 * super::SCALE_MAX as usize + 1] = {
    let mut inverses = [(0, 0); 2 * super::SCALE_MAX as usize + 1];
    let mut digits = 0;
    let (mut inverse, mut places) = (1_u128 << 127, 127);
    while digits < inverses.len() {
        inverses[digits] = ((inverse >> 64) as u64, places - 64);
        let tenth = inverse / 10;
        inverse = tenth << tenth.leading_zeros();
        places += tenth.leading_zeros();
        digits += 1;
    }
    inverses
};

/// The greatest power of ten that fits a machine word.
pub(super) const WORD_DIGITS: u32 = 19;

/// A divisor of one machine word, prepared so that dividing by it takes only multiplications: Möller and Granlund,
/// “Improved division by invariant integers”, IEEE Transactions on Computers 60 (2011).
#[derive(Clone, Copy)]
struct Divisor {
    /// The divisor, shifted so that its highest bit is set.
    normal: u64,
    shift: u32,
    /// ⌊(2^128 − 1) / normal⌋ − 2^64.
    reciprocal: u64,
}

impl Divisor {
    const fn of(divisor: u64) -> Self {
        let shift = divisor.leading_zeros();
        let normal = divisor << shift;
        Self { normal, shift, reciprocal: (u128::MAX / normal as u128 - (1 << 64)) as u64 }
    }

    /// Divides two words by the shifted divisor, which is greater than the high one: quotient and rest.
    #[inline]
    const fn step(self, high: u64, low: u64) -> (u64, u64) {
        let estimate = self.reciprocal as u128 * high as u128 + ((high as u128) << 64 | low as u128);
        let mut quotient = ((estimate >> 64) as u64).wrapping_add(1);
        let mut rest = low.wrapping_sub(quotient.wrapping_mul(self.normal));
        if rest > estimate as u64 {
            quotient = quotient.wrapping_sub(1);
            rest = rest.wrapping_add(self.normal);
        }
        if rest >= self.normal {
            quotient = quotient.wrapping_add(1);
            rest -= self.normal;
        }
        (quotient, rest)
    }

    /// The first step, which most numbers are too short to need.
    #[inline]
    const fn first_step(self, high: u64, low: u64) -> (u64, u64) {
        if high == 0 && low < self.normal { (0, low) } else { self.step(high, low) }
    }

    /// A word shifted as the divisor is, with what comes in from the next one.
    #[inline]
    const fn shifted(self, word: u64, next: u64) -> u64 {
        word << self.shift | self.carried(next)
    }

    /// What the shift carries out of a word.
    #[inline]
    const fn carried(self, word: u64) -> u64 {
        word >> 1 >> (63 - self.shift)
    }

    /// Quotient and rest of a magnitude.
    #[inline]
    const fn divide(self, value: u128) -> (u128, u64) {
        let (high, low) = ((value >> 64) as u64, value as u64);
        let (first, rest) = self.first_step(self.carried(high), self.shifted(high, low));
        let (second, rest) = self.step(rest, self.shifted(low, 0));
        ((first as u128) << 64 | second as u128, rest >> self.shift)
    }
}

const DIVISORS: [Divisor; WORD_DIGITS as usize + 1] = {
    let mut divisors = [Divisor::of(1); WORD_DIGITS as usize + 1];
    let mut exponent = 0;
    while exponent <= WORD_DIGITS as usize {
        divisors[exponent] = Divisor::of(POWERS_OF_TEN[exponent] as u64);
        exponent += 1;
    }
    divisors
};

/// Quotient and rest of a magnitude by a power of ten that a mantissa can hold.
#[inline]
pub(super) fn split_digits(value: u128, digits: u32) -> (u128, u128) {
    if digits <= WORD_DIGITS {
        let (quotient, rest) = DIVISORS[digits as usize].divide(value);
        return (quotient, u128::from(rest));
    }
    // A quotient of a quotient is the quotient by the product.
    let (most, low) = DIVISORS[WORD_DIGITS as usize].divide(value);
    let (quotient, high) = DIVISORS[(digits - WORD_DIGITS) as usize].divide(most);
    (quotient, u128::from(high) * POWERS_OF_TEN[WORD_DIGITS as usize] as u128 + u128::from(low))
}

/// Quotient and rest of a magnitude by a power of ten of one machine word; `None` where the quotient is longer than a word.
/// Half the work of [`split_digits`].
#[inline]
pub(super) const fn split_short<const DIGITS: usize>(value: u128) -> Option<(u64, u64)> {
    let divisor = const { DIVISORS[DIGITS] };
    let (high, low) = ((value >> 64) as u64, value as u64);
    let upper = divisor.shifted(high, low);
    if divisor.carried(high) != 0 || upper >= divisor.normal {
        return None;
    }
    let (quotient, rest) = divisor.step(upper, divisor.shifted(low, 0));
    Some((quotient, rest >> divisor.shift))
}

/// A divisor of up to two machine words, prepared like [`Divisor`] (the same paper, algorithms 4 to 6).
#[derive(Clone, Copy)]
struct WideDivisor {
    /// The divisor, shifted so that its highest bit is set.
    normal: u128,
    shift: u32,
    /// ⌊(2^192 − 1) / normal⌋ − 2^64.
    reciprocal: u64,
}

impl WideDivisor {
    /// Prepares a divisor, which is not zero.
    const fn of(divisor: u128) -> Self {
        let shift = divisor.leading_zeros();
        let normal = divisor << shift;
        let (high, low) = ((normal >> 64) as u64, normal as u64);
        let mut reciprocal = (u128::MAX / high as u128) as u64;
        let mut rest = high.wrapping_mul(reciprocal).wrapping_add(low);
        if rest < low {
            reciprocal -= 1;
            if rest >= high {
                reciprocal -= 1;
                rest -= high;
            }
            rest = rest.wrapping_sub(high);
        }
        let product = reciprocal as u128 * low as u128;
        let (sum, is_over) = rest.overflowing_add((product >> 64) as u64);
        if is_over {
            reciprocal -= 1;
            if (sum as u128) << 64 | product as u64 as u128 >= normal {
                reciprocal -= 1;
            }
        }
        Self { normal, shift, reciprocal }
    }

    /// Divides three words by the shifted divisor, which is greater than the first two: quotient and rest.
    #[inline]
    const fn step(self, upper: u128, low: u64) -> (u64, u128) {
        let estimate = (self.reciprocal as u128 * (upper >> 64)).wrapping_add(upper);
        let mut quotient = (estimate >> 64) as u64;
        let rest = (upper as u64).wrapping_sub(quotient.wrapping_mul((self.normal >> 64) as u64));
        let product = self.normal as u64 as u128 * quotient as u128;
        let mut rest = ((rest as u128) << 64 | low as u128).wrapping_sub(product).wrapping_sub(self.normal);
        quotient = quotient.wrapping_add(1);
        if (rest >> 64) as u64 >= estimate as u64 {
            quotient = quotient.wrapping_sub(1);
            rest = rest.wrapping_add(self.normal);
        }
        if rest >= self.normal {
            quotient = quotient.wrapping_add(1);
            rest -= self.normal;
        }
        (quotient, rest)
    }

    /// Quotient and rest of a 256-bit magnitude, high half first; `None` where the quotient has more than 128 bits.
    #[inline]
    const fn divide(self, high: u128, low: u128) -> Option<(u128, u128)> {
        let upper = high << self.shift | low >> 1 >> (127 - self.shift);
        if high.leading_zeros() < self.shift || upper >= self.normal {
            return None;
        }
        let low = low << self.shift;
        let (first, rest) = self.step(upper, (low >> 64) as u64);
        let (second, rest) = self.step(rest, low as u64);
        Some(((first as u128) << 64 | second as u128, rest >> self.shift))
    }
}

/// Quotient and rest of a 256-bit magnitude, high half first, by any divisor but zero; `None` where the quotient has more than
/// 128 bits.
#[inline]
pub(super) fn split_wide(high: u128, low: u128, divisor: u128) -> Option<(u128, u128)> {
    // Most divisors are one word: what a processor divides by.
    match (u64::try_from(high), u64::try_from(divisor)) {
        (Ok(high), Ok(divisor)) if high < divisor => {
            let divisor = u128::from(divisor);
            let upper = u128::from(high) << 64 | low >> 64;
            let first = upper / divisor;
            let lower = (upper - first * divisor) << 64 | u128::from(low as u64);
            let second = lower / divisor;
            Some((first << 64 | second, lower - second * divisor))
        }
        _ => WideDivisor::of(divisor).divide(high, low),
    }
}

const WIDE_DIVISORS: [WideDivisor; 39] = {
    let mut divisors = [WideDivisor::of(1); 39];
    let mut exponent = 0;
    while exponent < 39 {
        divisors[exponent] = WideDivisor::of(POWERS_OF_TEN[exponent] as u128);
        exponent += 1;
    }
    divisors
};

/// Quotient and rest of a 256-bit magnitude, high half first, by a power of ten that a mantissa can hold; `None` where the
/// quotient has more than 128 bits.
#[inline]
pub(super) fn split_wide_digits(high: u128, low: u128, digits: u32) -> Option<(u128, u128)> {
    WIDE_DIVISORS[digits as usize].divide(high, low)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Magnitudes of every length, and those around multiples of powers of ten.
    fn magnitudes() -> impl Strategy<Value = u128> {
        let any_length = (any::<u128>(), 0..128_u32).prop_map(|(value, shift)| value >> shift);
        let near = (any::<u64>(), 0..39_usize, 0..3_u128).prop_map(|(times, digits, off)| {
            u128::from(times).wrapping_mul(POWERS_OF_TEN[digits].unsigned_abs()).wrapping_add(off).wrapping_sub(1)
        });
        prop_oneof![any_length, near]
    }

    proptest! {
        #[test]
        fn digits_are_split_as_by_division(value in magnitudes(), digits in 0..39_u32) {
            let power = POWERS_OF_TEN[digits as usize].unsigned_abs();
            prop_assert_eq!(split_digits(value, digits), (value / power, value % power));
        }

        #[test]
        fn short_quotients_are_those_of_division(value in magnitudes()) {
            let (quotient, rest) = split_digits(value, 18);
            let short = u64::try_from(quotient).ok().map(|quotient| (quotient, rest as u64));
            prop_assert_eq!(split_short::<18>(value), short);
        }

        /// Quotient times divisor plus rest is the number again, in 256 bits.
        #[test]
        fn wide_magnitudes_are_divided_as_by_division(
            high in magnitudes(), low in magnitudes(), divisor in magnitudes(), digits in 0..39_u32, is_power in any::<bool>(),
        ) {
            let divisor = if is_power { POWERS_OF_TEN[digits as usize].unsigned_abs() } else { divisor.max(1) };
            let divided = match is_power {
                true => split_wide_digits(high, low, digits),
                false => split_wide(high, low, divisor),
            };
            prop_assert_eq!(divided.is_some(), high < divisor);
            if let Some((quotient, rest)) = divided {
                prop_assert!(rest < divisor);
                let (carry, product) = crate::quantity::wide_product(quotient, divisor);
                let (sum, is_over) = product.overflowing_add(rest);
                prop_assert_eq!((carry + u128::from(is_over), sum), (high, low));
            }
        }
    }
}
