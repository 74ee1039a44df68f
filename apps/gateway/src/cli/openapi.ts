import { createDocument } from '#openapi/document';
import { OTHER_PATHS } from '#openapi/other-paths';
import { operations } from '#operations/table';

process.stdout.write(`${JSON.stringify(createDocument(operations, OTHER_PATHS), null, 2)}\n`);
