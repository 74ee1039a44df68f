import { BinaryWriter } from '@bufbuild/protobuf/wire';

/** The element types of ONNX tensors that generated models use. */
const ELEMENT_TYPES = { float32: 1, uint8: 2, int8: 3, int64: 7, float16: 10 } as const;
const ATTRIBUTE_TYPES = { float: 1, int: 2, ints: 7 } as const;

type ElementType = keyof typeof ELEMENT_TYPES;
type Attributes = Readonly<Record<string, number | { readonly float: number } | readonly number[]>>;

/** A message field with a length. */
const nested = (writer: BinaryWriter, field: number, write: (inner: BinaryWriter) => void): BinaryWriter => {
  write(writer.tag(field, 2).fork());
  return writer.join();
};
const text = (writer: BinaryWriter, field: number, value: string) => writer.tag(field, 2).string(value);
const integer = (writer: BinaryWriter, field: number, value: number) => writer.tag(field, 0).int64(value);

/** Builds an ONNX graph, and writes it in the format of `onnx.proto`. Returns the names of values. */
export class OnnxGraph {
  readonly #nodes = new BinaryWriter();
  readonly #tensors = new BinaryWriter();
  readonly #values = new BinaryWriter();
  #count = 0;

  input(name: string, shape: readonly (number | string)[]): string {
    return this.#value(11, name, 'int64', shape);
  }

  output(name: string, from: string, shape: readonly (number | string)[]): void {
    this.node('Identity', [from], {}, name);
    this.#value(12, name, 'float32', shape);
  }

  /** Adds a constant. `data` has the bytes of the elements, little-endian. */
  tensor(type: ElementType, dims: readonly number[], data: ArrayBufferView): string {
    const name = `t${++this.#count}`;
    nested(this.#tensors, 5, (tensor) => {
      for (const dim of dims) integer(tensor, 1, dim);
      integer(tensor, 2, ELEMENT_TYPES[type]);
      text(tensor, 8, name)
        .tag(9, 2)
        .bytes(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    });
    return name;
  }

  integers(...values: readonly number[]): string {
    return this.tensor('int64', [values.length], BigInt64Array.from(values, BigInt));
  }

  number(value: number): string {
    return this.tensor('float32', [], Float32Array.of(value));
  }

  node(type: string, inputs: readonly string[], attributes: Attributes = {}, output = `v${++this.#count}`): string {
    this.nodes(type, inputs, [output], attributes);
    return output;
  }

  /** Adds a node with several outputs. */
  nodes(type: string, inputs: readonly string[], outputs: readonly string[], attributes: Attributes = {}): void {
    nested(this.#nodes, 1, (node) => {
      for (const input of inputs) text(node, 1, input);
      for (const output of outputs) text(node, 2, output);
      text(node, 4, type);
      for (const [name, value] of Object.entries(attributes)) nested(node, 5, (to) => writeAttribute(to, name, value));
    });
  }

  /** Returns the bytes of the model file. */
  finish(): Uint8Array {
    const model = integer(new BinaryWriter(), 1, 8);
    nested(model, 7, (graph) => {
      graph.raw(this.#nodes.finish());
      text(graph, 2, 'generated').raw(this.#tensors.finish()).raw(this.#values.finish());
    });
    nested(model, 8, (opset) => integer(text(opset, 1, ''), 2, 17));
    return model.finish();
  }

  #value(field: number, name: string, type: ElementType, shape: readonly (number | string)[]): string {
    nested(this.#values, field, (value) => {
      nested(text(value, 1, name), 2, (valueType) =>
        nested(valueType, 1, (tensor) => {
          nested(integer(tensor, 1, ELEMENT_TYPES[type]), 2, (dims) => {
            for (const dim of shape) {
              nested(dims, 1, (to) => (typeof dim === 'number' ? integer(to, 1, dim) : text(to, 2, dim)));
            }
          });
        }),
      );
    });
    return name;
  }
}

function writeAttribute(writer: BinaryWriter, name: string, value: Attributes[string]): void {
  text(writer, 1, name);
  if (typeof value === 'number') {
    integer(integer(writer, 3, value), 20, ATTRIBUTE_TYPES.int);
  } else if ('float' in value) {
    integer(writer.tag(2, 5).float(value.float), 20, ATTRIBUTE_TYPES.float);
  } else {
    for (const item of value) integer(writer, 8, item);
    integer(writer, 20, ATTRIBUTE_TYPES.ints);
  }
}
