import { pythonName } from '@lectern/api-spec';
import { pathArguments } from '#names';
import { pythonType, type Spelling, union } from '#python-type';
import { type Operation, resolve, type Schema, type Schemas } from '#schema';

/** An argument of a method. */
export interface Argument {
  /** Its name in Python. */
  readonly name: string;
  /** Its name in the API. */
  readonly wire: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** Names that the generated code uses itself. */
const RESERVED: readonly string[] = ['self', 'options', 'given', 'types'];

const SPELLING: Spelling = { prefix: 'types.', list: 'Sequence', dict: 'Mapping' };

/** The client fills in the team of the key. */
const AUTOMATIC: readonly string[] = ['teamId'];

/** The arguments for the parameters in the path. */
export function pathParameters(path: string, { parameters = [] }: Operation): readonly Argument[] {
  return pathArguments(path)
    .filter(({ wire }) => !AUTOMATIC.includes(wire))
    .map(({ wire, name }) => {
      const description = parameters.find((one) => one.in === 'path' && one.name === wire)?.description ?? '';
      return checked({ name, wire, type: 'str', required: true, description });
    });
}

/** The arguments for the parameters in the query. */
export const queryParameters = ({ parameters = [] }: Operation): readonly Argument[] =>
  parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name: wire = '', schema = {}, required = false, description = '' }) =>
      checked({ name: pythonName(wire), wire, type: pythonType(schema, SPELLING), required, description }),
    )
    .sort(requiredFirst);

/** How a method passes the body of its operation. */
export interface BodyArguments {
  /** One argument for each field, or none if `whole` is set. */
  readonly fields: readonly Argument[];
  /** The type of a body that is not an object. */
  readonly whole?: string;
  /** True if the body is sent even if no field is given. */
  readonly isSent: boolean;
}

/** The arguments for the fields of a JSON body. Fields that the server only returns have none. */
export function bodyArguments({ requestBody }: Operation, schemas: Schemas): BodyArguments {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return { fields: [], isSent: false };
  const body = resolve(schema, schemas);
  const variants = (body.oneOf ?? [body]).map((variant) => resolve(variant, schemas));
  if (variants.some(({ properties }) => properties === undefined)) {
    return { fields: [], whole: pythonType(schema, SPELLING), isSent: true };
  }
  const fields = fieldsOf(variants, schemas).map(checked).sort(requiredFirst);
  return { fields, isSent: fields.length > 0 || requestBody?.required === true };
}

/** Merges the fields of all variants of a body. A field is required if every variant requires it. */
function fieldsOf(variants: readonly Schema[], schemas: Schemas): readonly Argument[] {
  const names = new Set(variants.flatMap(({ properties }) => Object.keys(properties ?? {})));
  return [...names].flatMap((wire) => {
    const found = variants.flatMap(({ properties }) => properties?.[wire] ?? []);
    if (found.every(({ readOnly }) => readOnly === true)) return [];
    const required = variants.every((variant) => variant.required?.includes(wire) ?? false);
    const type = union(found.map((schema) => pythonType(schema, SPELLING)));
    const description = (found[0] && (found[0].description ?? resolve(found[0], schemas).description)) ?? '';
    return [{ name: pythonName(wire), wire, type, required, description }];
  });
}

const requiredFirst = (a: Argument, b: Argument): number => Number(b.required) - Number(a.required);

function checked(argument: Argument): Argument {
  if (RESERVED.includes(argument.name)) throw new TypeError(`An argument cannot be called ${argument.name}.`);
  return argument;
}
