export { createDocument, type OpenApiDocument } from '#openapi/document';
export { operations } from '#operations/table';
