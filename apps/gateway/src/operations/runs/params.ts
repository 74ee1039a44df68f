import { z } from 'zod';
import { idParam } from '#http/path-params';

/** The parameters of a path that names a run. */
export const runParams = z.object({ id: idParam('agent'), runId: idParam('run') });
