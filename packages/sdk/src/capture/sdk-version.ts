/** Version of this package, as its instrumentation scope says it. */
export const SDK_VERSION = "0.1.0";
