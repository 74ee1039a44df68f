import { createDocument } from '#openapi/document';
import { operations } from '#operations/table';

process.stdout.write(`${JSON.stringify(createDocument(operations), null, 2)}\n`);
