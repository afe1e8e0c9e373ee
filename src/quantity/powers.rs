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

/// Quotient and rest of a 256-bit magnitude, high half first, by a power of ten of at most one word.
pub(super) fn split_wide_digits(high: u128, low: u128, digits: u32) -> ((u128, u128), u64) {
    let divisor = DIVISORS[digits as usize];
    let [a, b, c, d] = [(high >> 64) as u64, high as u64, (low >> 64) as u64, low as u64];
    let (first, rest) = divisor.first_step(divisor.carried(a), divisor.shifted(a, b));
    let (second, rest) = divisor.step(rest, divisor.shifted(b, c));
    let (third, rest) = divisor.step(rest, divisor.shifted(c, d));
    let (fourth, rest) = divisor.step(rest, divisor.shifted(d, 0));
    let pair = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
    ((pair(first, second), pair(third, fourth)), rest >> divisor.shift)
}

/// Quotient and rest of a magnitude by a divisor of half a word.
pub(super) fn divided_by_half_word(value: u128, divisor: u32) -> (u128, u32) {
    let divisor = u64::from(divisor);
    if let Ok(word) = u64::try_from(value) {
        return (u128::from(word / divisor), (word % divisor) as u32);
    }
    let mut quotient = 0;
    let mut rest = 0;
    for shift in [96, 64, 32, 0] {
        let part = rest << 32 | (value >> shift) as u64 & u64::from(u32::MAX);
        quotient = quotient << 32 | u128::from(part / divisor);
        rest = part % divisor;
    }
    (quotient, rest as u32)
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

        /// Quotient times divisor plus rest is the number again, in 256 bits.
        #[test]
        fn wide_digits_are_split_as_by_division(high in magnitudes(), low in magnitudes(), digits in 0..20_u32) {
            let power = POWERS_OF_TEN[digits as usize].unsigned_abs();
            let ((quotient_high, quotient_low), rest) = split_wide_digits(high, low, digits);
            prop_assert!(u128::from(rest) < power);
            let (carry, product) = crate::quantity::wide_product(quotient_low, power);
            let (sum, is_over) = product.overflowing_add(u128::from(rest));
            let top = quotient_high.checked_mul(power).and_then(|top| top.checked_add(carry));
            prop_assert_eq!(top.and_then(|top| top.checked_add(u128::from(is_over))), Some(high));
            prop_assert_eq!(sum, low);
        }

        #[test]
        fn short_divisors_divide_as_by_division(value in magnitudes(), divisor in 1..u32::MAX) {
            let by = u128::from(divisor);
            prop_assert_eq!(divided_by_half_word(value, divisor), (value / by, (value % by) as u32));
        }
    }
}
