import { createDocument, OTHER_PATHS, operations } from '@lectern/api-spec';

process.stdout.write(`${JSON.stringify(createDocument(operations, OTHER_PATHS), null, 2)}\n`);
