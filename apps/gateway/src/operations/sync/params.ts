import { z } from 'zod';
import { idParam } from '#http/path-params';

/** The parameters of a path that names a sync job. */
export const syncJobParams = z.object({ id: idParam('connector'), jobId: idParam('job') });
