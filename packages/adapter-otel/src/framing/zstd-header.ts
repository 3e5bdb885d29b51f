/** Largest window a frame may ask for: what every decoder must be able to grant, and no more memory than that. */
const WINDOW_LIMIT = 1 << 27;

const MAGIC = 0xfd2fb528;
/** Longest frame header with its magic number. */
export const ZSTD_HEADER_LIMIT = 18;

/** The beginning of a zstd frame (RFC 8878, 3.1.1). */
export interface ZstdHeader {
  /** Bytes of the header with its magic number. */
  readonly length: number;
  readonly checksum: boolean;
}

/** True where a zstd frame begins. */
export function isZstdFrame(bytes: Buffer, at = 0): boolean {
  return bytes.length >= at + 4 && bytes.readUInt32LE(at) === MAGIC;
}

/** True where a frame begins that holds no data and is to be passed over. */
export function isSkippableFrame(bytes: Buffer, at = 0): boolean {
  return bytes.length >= at + 4 && (bytes.readUInt32LE(at) & 0xfffffff0) >>> 0 === 0x184d2a50;
}

/**
 * Reads the header of a frame: how long it is, or why the frame cannot be read. `undefined` where the
 * bytes end before it does.
 */
export function zstdHeader(bytes: Buffer): ZstdHeader | string | undefined {
  if (bytes.length < 5) return undefined;
  const descriptor = bytes[4]!;
  const single = (descriptor & 0x20) !== 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3]!;
  const sizeFlag = descriptor >> 6;
  const size = sizeFlag === 0 ? (single ? 1 : 0) : 1 << sizeFlag;
  const length = 5 + (single ? 0 : 1) + dictionary + size;
  if (bytes.length < length) return undefined;
  if ((descriptor & 0x08) !== 0) return "the frame header sets a reserved bit";
  const window = single ? contentSize(bytes, length - size, size) : windowSize(bytes[5]!);
  if (window > WINDOW_LIMIT) return `the frame asks for a window of ${window} bytes`;
  return { length, checksum: (descriptor & 0x04) !== 0 };
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function contentSize(bytes: Buffer, at: number, size: number): number {
  switch (size) {
    case 1:
      return bytes[at]!;
    case 2:
      return bytes.readUInt16LE(at) + 256;
    case 4:
      return bytes.readUInt32LE(at);
    default:
      return Number(bytes.readBigUInt64LE(at));
  }
}
