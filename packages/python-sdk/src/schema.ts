/** The parts of JSON Schema that the generator reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly readOnly?: boolean;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** A parameter in the path or the query. */
interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** An operation in the OpenAPI document. */
export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** The name of the component that a schema refers to. */
export const refName = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);

/** Follows a reference to a component. */
export function resolve(schema: Schema, schemas: Schemas): Schema {
  const name = refName(schema);
  if (name === undefined) return schema;
  const target = schemas[name];
  if (target === undefined) throw new TypeError(`The schema ${name} does not exist.`);
  return resolve(target, schemas);
}
