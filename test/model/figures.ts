import { quantile } from "@agent-step-value/sdk";

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Median, 95th percentile and maximum of the absolute values, for print. */
export function spreadOf(values: readonly number[]): string {
  if (values.length === 0) return "none";
  const sizes = values.map(Math.abs).toSorted((a, b) => a - b);
  const [median, high] = [0.5, 0.95].map((q) => show(quantile(sizes, q)));
  return `median ${median}, 95 % ${high}, max ${show(sizes.at(-1)!)} (n = ${sizes.length})`;
}

export function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

export function show(value: number): string {
  if (value === 0) return "0";
  return Math.abs(value) < 0.01 ? value.toExponential(1) : value.toFixed(3);
}
