/**
 * Python's `round(value, 6)`: the nearest multiple of 1e-6 to the exact binary value, ties to even.
 *
 * `toFixed` also works on the exact value but takes the larger neighbour at a tie. A double lies exactly
 * half-way between two such multiples only when it is an odd multiple of 1/128, as (2m + 1) / 2·10⁻⁶
 * with a power of two as its denominator must be.
 */
export function round6(value: number): number {
  if (Object.is(value, -0) || Math.abs(value) >= 1e21) return value;
  const text = value.toFixed(6);
  if (Math.abs((value * 128) % 2) !== 1) return Number(text);
  const lastDigit = Number(text.at(-1));
  return lastDigit % 2 === 0 ? Number(text) : Number(stepDown(text));
}

/** The decimal one unit of the last place nearer to zero; its last digit is odd, so it does not borrow. */
function stepDown(text: string): string {
  return text.slice(0, -1) + String(Number(text.at(-1)) - 1);
}
