/** Thrown inside the reader where a text is no Python value; made once, since hostile text throws it often. */
export const NOT_PYTHON = new Error("not a Python value");

/** Thrown inside the reader where a text holds more values than it was to read. */
export const TOO_MANY = new Error("too many values");
