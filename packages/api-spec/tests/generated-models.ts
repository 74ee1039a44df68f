import { nameIn, pascalCase } from '#openapi/components';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isReference = (schema: Json) => nameIn(schema) !== undefined;

/** The models of a generated client. */
export interface GeneratedModels {
  /** The names of its classes. */
  readonly names: ReadonlySet<string>;
  /** Names that two different schemas would have. */
  readonly conflicts: readonly string[];
  /** Objects, lists of objects and enums in a union that have no name of their own. */
  readonly unnamed: readonly string[];
  /** Paths of bodies that are not a reference to a named schema. */
  readonly inlineBodies: readonly string[];
}

/**
 * Returns the models that a client generator like openapi-python-client creates: one class for each
 * object and each enum. One in a property is named after the class and the property.
 */
export function generatedModels(document: { readonly components: object; readonly paths: object }): GeneratedModels {
  const definitions = new Map<string, string>();
  const conflicts: string[] = [];
  const unnamed: string[] = [];
  const inlineBodies: string[] = [];

  const define = (name: string, schema: Json) => {
    const text = JSON.stringify(schema.enum ?? schema);
    if ((definitions.get(name) ?? text) !== text) conflicts.push(name);
    definitions.set(name, text);
  };

  const visit = (schema: unknown, name: string, isMember = false): void => {
    if (!isObject(schema) || isReference(schema)) return;
    const members = [...listOf(schema.anyOf), ...listOf(schema.oneOf), ...listOf(schema.allOf)];
    for (const [at, member] of members.entries()) visit(member, `${name}Type${at}`, true);
    if (schema.type === 'array') visit(schema.items, `${name}Item`, isMember);
    if (members.length > 0 || schema.type === 'array') return;
    const isEnum = listOf(schema.enum).length > 0 && schema.type !== 'boolean';
    if (!isEnum && schema.type !== 'object' && !isObject(schema.properties)) return;
    if (isMember) unnamed.push(name);
    define(name, schema);
    for (const [field, inner] of Object.entries(isObject(schema.properties) ? schema.properties : {}))
      visit(inner, `${name}${pascalCase(field)}`);
    visit(schema.additionalProperties, `${name}AdditionalProperty`);
  };

  for (const [name, schema] of Object.entries(Object(Reflect.get(document.components, 'schemas')))) visit(schema, name);

  const visitOperation = (operation: Json) => {
    const name = pascalCase(String(operation.operationId));
    for (const parameter of listOf(operation.parameters).filter(isObject))
      visit(parameter.schema, `${name}${pascalCase(String(parameter.name))}`);
    const holders = [operation.requestBody, ...Object.values(Object(operation.responses))].filter(isObject);
    for (const holder of holders)
      for (const [mediaType, media] of Object.entries(Object(holder.content))) {
        const { schema } = Object(media);
        if (mediaType === 'application/json' || mediaType === 'text/event-stream' || mediaType.startsWith('multipart/'))
          if (!isReference(schema)) inlineBodies.push(`${operation.operationId} ${mediaType}`);
        visit(schema, `${name}Body`);
      }
  };
  for (const methods of Object.values(document.paths))
    for (const operation of Object.values(methods)) if (isObject(operation)) visitOperation(operation);
  visitOperation({ operationId: 'error', responses: Reflect.get(document.components, 'responses') });
  return { names: new Set(definitions.keys()), conflicts, unnamed, inlineBodies };
}
