// The part of WebAssembly's binary format that one small module needs
// (webassembly.github.io/spec/core/binary).

/** Encodes an unsigned number in LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 127;
    rest >>>= 7;
    bytes.push(rest ? low | 128 : low);
  } while (rest);
  return bytes;
}

/** Encodes a signed 32-bit number in LEB128. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value | 0;
  for (;;) {
    const low = rest & 127;
    rest >>= 7;
    if ((rest === 0 && !(low & 64)) || (rest === -1 && low & 64)) return [...bytes, low];
    bytes.push(low | 128);
  }
}

/** The required instructions. Loads and stores have a byte offset that is added to the address. */
export const op = {
  get: (local: number) => [0x20, local],
  set: (local: number) => [0x21, local],
  constant: (value: number) => [0x41, ...signed(value)],
  add: [0x6a],
  subtract: [0x6b],
  multiply: [0x6c],
  and: [0x71],
  shiftLeft: [0x74],
  shiftRight: [0x76],
  isBelow: [0x49],
  /** Executes the body if the operand is 0. */
  ifZero: (body: readonly number[]) => [0x45, 0x04, 0x40, ...body, 0x0b],
  /** Executes the body unless the operand is 0. */
  ifNotZero: (body: readonly number[]) => [0x04, 0x40, ...body, 0x0b],
  /** Repeats the body while it results in a number other than 0. */
  repeatWhile: (body: readonly number[]) => [0x03, 0x40, ...body, 0x0d, 0, 0x0b],
  load: (offset: number) => [0x28, 2, ...unsigned(offset)],
  store: (offset: number) => [0x36, 2, ...unsigned(offset)],
  /** Loads an unsigned byte. */
  loadByte: (offset: number) => [0x2d, 0, ...unsigned(offset)],
  /** Loads an unsigned 16-bit number. */
  loadShort: (offset: number) => [0x2f, 1, ...unsigned(offset)],
  /** 64-bit floats. */
  double: {
    load: (offset: number) => [0x2b, 3, ...unsigned(offset)],
    /** Loads a 32-bit float. */
    loadFloat: (offset: number) => [0x2a, 2, ...unsigned(offset), 0xbb],
    fromInteger: [0xb7],
    /** Stores it as 32-bit float. */
    storeFloat: (offset: number) => [0xb6, 0x38, 2, ...unsigned(offset)],
    add: [0xa0],
    multiply: [0xa2],
    isBelow: [0x63],
  },
  simd: {
    zero: [0xfd, ...unsigned(12), ...Array.from({ length: 16 }, () => 0)],
    /** 16 bytes. */
    load: (offset: number) => [0xfd, ...unsigned(0), 0, ...unsigned(offset)],
    /** 8 bytes, each sign-extended to 16 bits. */
    loadBytesAsShorts: (offset: number) => [0xfd, ...unsigned(1), 0, ...unsigned(offset)],
    /** Products of 16-bit lanes, with neighbors added in 32 bits. */
    multiplyShortsAddPairs: [0xfd, ...unsigned(0xba)],
    addIntegers: [0xfd, ...unsigned(0xae)],
    /**
     * Adds products of signed bytes and bytes from 0 to 127, four for each 32-bit lane. Part of relaxed
     * SIMD, but exact for these operands on every CPU.
     */
    multiplyBytesAddFours: [0xfd, ...unsigned(0x113)],
    subtractIntegers: [0xfd, ...unsigned(0xb1)],
    /** Shifts each 32-bit lane by the number on the stack. */
    shiftIntegersLeft: [0xfd, ...unsigned(0xab)],
    toFloats: [0xfd, ...unsigned(0xfa)],
    addFloats: [0xfd, ...unsigned(0xe4)],
    multiplyFloats: [0xfd, ...unsigned(0xe6)],
    /** Selects four of the eight 32-bit lanes of two vectors. */
    pickLanes: (lanes: readonly number[]) => [
      0xfd,
      ...unsigned(13),
      ...lanes.flatMap((lane) => [0, 1, 2, 3].map((byte) => lane * 4 + byte)),
    ],
    or: [0xfd, ...unsigned(0x50)],
    isAnySet: [0xfd, ...unsigned(0x53)],
    /** The highest bit of each 32-bit lane. */
    bitmask: [0xfd, ...unsigned(0xa4)],
    /** Loads a 32-bit float into all lanes. */
    loadFloatInAll: (offset: number) => [0xfd, ...unsigned(9), 2, ...unsigned(offset)],
    floatsAreAtLeast: [0xfd, ...unsigned(0x46)],
    integerAt: (lane: number) => [0xfd, ...unsigned(0x1b), lane],
  },
} as const;

const valueTypes = { i32: 0x7f, f64: 0x7c, v128: 0x7b } as const;

/** A function of 32-bit parameters that returns nothing. */
export interface WasmFunction {
  readonly name: string;
  readonly parameterCount: number;
  readonly locals: readonly { readonly type: keyof typeof valueTypes; readonly count: number }[];
  readonly body: readonly number[];
}

function sized(bytes: readonly number[]): number[] {
  return [...unsigned(bytes.length), ...bytes];
}

function text(value: string): number[] {
  return sized([...Buffer.from(value)]);
}

/** Assembles a module with one exported function and a memory that is imported as `env.memory`. */
export function assembleModule({ name, parameterCount, locals, body }: WasmFunction): Uint8Array<ArrayBuffer> {
  const section = (id: number, bytes: readonly number[]): number[] => [id, ...sized(bytes)];
  const parameters = Array.from({ length: parameterCount }, () => valueTypes.i32);
  const declared = locals.flatMap(({ type, count }) => [...unsigned(count), valueTypes[type]]);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, ...sized(parameters), 0]),
    ...section(2, [1, ...text('env'), ...text('memory'), 2, 0, ...unsigned(1)]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text(name), 0, 0]),
    ...section(10, [1, ...sized([...unsigned(locals.length), ...declared, ...body, 0x0b])]),
  ]);
}
