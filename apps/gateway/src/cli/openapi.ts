import { createDocument, OTHERS, operations } from '@lectern/api-spec';

process.stdout.write(`${JSON.stringify(createDocument(operations, OTHERS), null, 2)}\n`);
