import { z } from 'zod';

/** The types of source. What their `config` and `credentials` hold, the connector service knows. */
export const connectorType = z.enum([
  's3',
  'google_drive',
  'confluence',
  'github',
  'slack',
  'notion',
  'salesforce',
  'postgresql',
  'upload',
]);
