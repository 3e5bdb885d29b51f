/** Feature gate of the file exporter: one zstd stream a file instead of a frame a batch. */
export const NATIVE_COMPRESSION = "exporter.file.nativeCompression";
