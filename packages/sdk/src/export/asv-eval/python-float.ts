/** A number that Python holds as a float, so that 1 is written `1.0` and −0 `-0.0`. */
export class PythonFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/**
 * A finite number as Python's `repr` of a float writes it: the shortest digits that read back to the
 * same double, in scientific form below 1e-4 and from 1e16 on.
 */
export function pythonFloatText(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  const [mantissa, exponentText] = value.toExponential().split("e") as [string, string];
  const exponent = Number(exponentText);
  if (value !== 0 && (exponent < -4 || exponent >= 16)) {
    const sign = exponent < 0 ? "-" : "+";
    return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  const plain = String(value);
  if (plain.includes("e")) return value.toFixed(-exponent + mantissa.replace(/[-.]/g, "").length - 1);
  return plain.includes(".") ? plain : `${plain}.0`;
}
