/** For a value that is put together field by field: inside a host's call, spreads cost several times as much. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
