import type { CollectionConfig, DenseConfig, SparseConfig } from '../collection/config.ts';
import { formatError, notSupported, QdrantError, validationError } from '../errors.ts';
import { type IndexSchema, indexTypes } from '../index/field-index.ts';
import type { JsonPath } from '../json/path.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from '../json/types.ts';
import { DEFAULT_VECTOR, type Distance } from '../model/vectors.ts';
import { optional, readObject, readPath, readString, readUnsigned, required } from './reader.ts';
import { checkDenseTuning, checkSparseTuning, readTuning } from './tuning.ts';

const distances: readonly Distance[] = ['Cosine', 'Dot', 'Euclid', 'Manhattan'];
const maxVectorSize = 65536;
function readDistance(value: JsonValue, field: string): Distance {
  const distance = distances.find((known) => known === value);
  if (!distance) throw formatError(`${field}.distance: expected one of ${distances.map((d) => `\`${d}\``).join(', ')}`);
  return distance;
}

function readDenseConfig(value: JsonValue, field: string): DenseConfig {
  const params = readObject(value, field);
  const size = readUnsigned(required(params, 'size'), `${field}.size`);
  if (size < 1 || size > maxVectorSize)
    throw validationError(`${field}.size`, `value ${size} invalid, must be from 1 to ${maxVectorSize}`);
  if (optional(params, 'multivector_config') !== undefined) throw notSupported('A multivector');
  const datatype = optional(params, 'datatype');
  if (datatype !== undefined && datatype !== 'float32') throw notSupported(`The datatype ${JSON.stringify(datatype)}`);
  checkDenseTuning(params, field);
  return { size, distance: readDistance(required(params, 'distance'), field), params };
}

function readSparseConfig(value: JsonValue, field: string): SparseConfig {
  const params = readObject(value ?? {}, field);
  checkSparseTuning(params, field);
  const modifier = optional(params, 'modifier') ?? 'none';
  if (modifier !== 'none' && modifier !== 'idf') throw formatError(`${field}.modifier: expected \`none\` or \`idf\``);
  return { idf: modifier === 'idf', params };
}

/** Parses the sparse vectors of a create or update request, by name. @throws QdrantError 400 */
export function readSparseConfigs(value: JsonValue | undefined): Record<string, SparseConfig> {
  if (value === undefined) return {};
  const vectors = Object.entries(readObject(value, 'sparse_vectors'));
  return Object.fromEntries(
    vectors.map(([name, params]) => [name, readSparseConfig(params, `sparse_vectors.${name}`)]),
  );
}

/** Parses the settings of a vector to add: `{sparse: …}`. @throws QdrantError 400 */
export function readNewVector(body: JsonObject): SparseConfig {
  if (Object.hasOwn(body, 'dense')) throw notSupported('Adding a dense vector to a collection');
  return readSparseConfig(required(body, 'sparse'), 'sparse');
}

function readDenseConfigs(value: JsonValue | undefined): Pick<CollectionConfig, 'dense' | 'unnamed'> {
  if (value === undefined) return { unnamed: false, dense: {} };
  const object = readObject(value, 'vectors');
  if (Object.hasOwn(object, 'size'))
    return { unnamed: true, dense: { [DEFAULT_VECTOR]: readDenseConfig(object, 'vectors') } };
  const named = Object.entries(object).map(
    ([name, params]) => [name, readDenseConfig(params, `vectors.${name}`)] as const,
  );
  return { unnamed: false, dense: Object.fromEntries(named) };
}

/** Parses a request to create a collection. @throws QdrantError 400 or 422 */
export function readCollectionConfig(body: JsonObject): CollectionConfig {
  const metadata = optional(body, 'metadata');
  return {
    ...readDenseConfigs(optional(body, 'vectors')),
    sparse: readSparseConfigs(optional(body, 'sparse_vectors')),
    tuning: readTuning(body),
    metadata: metadata === undefined ? undefined : readObject(metadata, 'metadata'),
  };
}

// Control characters, and characters that file systems or paths reserve.
// biome-ignore lint/suspicious/noControlCharactersInRegex: Qdrant rejects exactly these characters
const forbiddenInName = /[<>:"/\\|?*\u0000\u001f]/;

/** Validates the name of a new collection. @throws QdrantError 422 */
export function readNewCollectionName(name: string): string {
  const problem =
    name.length === 0 || Buffer.byteLength(name) > 255
      ? `value "${name.slice(0, 40)}" invalid, must be from 1 to 255 characters`
      : forbiddenInName.test(name)
        ? `cannot contain ${JSON.stringify(forbiddenInName.exec(name)?.[0])}`
        : undefined;
  if (problem) throw new QdrantError(422, `Validation error in path parameters: [name: ${problem}]`);
  return name;
}

function readIndexSchema(value: JsonValue): IndexSchema {
  const params = isJsonObject(value) ? value : undefined;
  const name = readString(params ? required(params, 'type') : value, 'field_schema');
  const type = indexTypes.find((known) => known === name);
  if (!type) {
    if (name === 'geo') throw notSupported('A geo index');
    throw formatError(`field_schema: unknown type \`${name}\`, expected one of ${indexTypes.join(', ')}`);
  }
  return { type, params };
}

/** Parses a request to create an index. @throws QdrantError 400 */
export function readCreateIndex(body: JsonObject): { path: JsonPath; schema: IndexSchema } {
  const path = readPath(required(body, 'field_name'), 'field_name');
  const schema = optional(body, 'field_schema') ?? ownValue(body, 'field_type') ?? undefined;
  if (schema === undefined)
    throw new QdrantError(
      400,
      `Wrong input: Unable to infer type for the field '${path.text}'. Please specify \`field_type\``,
    );
  return { path, schema: readIndexSchema(schema) };
}
