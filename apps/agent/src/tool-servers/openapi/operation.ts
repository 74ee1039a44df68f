import { z } from 'zod';

const parameter = z.object({
  /** Its name in the arguments of the tool. */
  argument: z.string(),
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  style: z.enum(['simple', 'form', 'deepObject', 'spaceDelimited', 'pipeDelimited', 'json']),
  explode: z.boolean(),
});

/** How the arguments of a tool become an HTTP request. */
export const operationSchema = z.object({
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
  /** A template, to append to the server's address. */
  path: z.string(),
  parameters: z.array(parameter),
  /** The body is the argument `body`. */
  body: z.object({ mediaType: z.string(), form: z.boolean() }).optional(),
});

export type Operation = z.output<typeof operationSchema>;
export type OperationParameter = Operation['parameters'][number];
