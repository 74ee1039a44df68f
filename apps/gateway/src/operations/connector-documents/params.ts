import { z } from 'zod';
import { idParam } from '#http/path-params';

/** The parameters of a path that names a connector's document. */
export const connectorDocumentParams = z.object({ id: idParam('connector'), documentId: idParam('document') });
