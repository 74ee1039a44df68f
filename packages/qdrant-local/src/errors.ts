/** An error for the client, returned in Qdrant's format with this HTTP status. */
export class QdrantError extends Error {
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'QdrantError';
    this.status = status;
  }
}

/** 400: the request does not match the collection (dimension, vector name, …). */
export function badInput(description: string): QdrantError {
  return new QdrantError(400, `Wrong input: ${description}`);
}

/** 400: the request is contradictory. */
export function badRequest(description: string): QdrantError {
  return new QdrantError(400, `Bad request: ${description}`);
}

/** 400: the body is not JSON of the expected format. */
export function formatError(description: string): QdrantError {
  return new QdrantError(400, `Format error in JSON body: ${description}`);
}

/** 422: a field has the right type, but its value is out of range. */
export function validationError(field: string, description: string): QdrantError {
  return new QdrantError(422, `Validation error in JSON body: [${field}: ${description}]`);
}

/** 404. */
export function notFound(description: string): QdrantError {
  return new QdrantError(404, `Not found: ${description}`);
}

/** 409: the name is taken. */
export function alreadyExists(description: string): QdrantError {
  return new QdrantError(409, `Wrong input: ${description}`);
}

/**
 * 400: Qdrant supports this and qdrant-local does not. An error is better than a different result.
 */
export function notSupported(what: string): QdrantError {
  return badRequest(`${what} is not supported by qdrant-local`);
}

/** 500: a disk error, or a violated invariant. */
export function serviceError(description: string, cause?: unknown): QdrantError {
  return new QdrantError(500, `Service internal error: ${description}`, { cause });
}
