import { AppError } from '@lectern/service-kit';

/** The `invalid_request` error for a body that is not JSON. JSON-RPC has a separate code for it. */
export class NotJson extends AppError {
  constructor(message: string) {
    super('invalid_request', `body: ${message}`, { details: { issues: [{ path: 'body', message }] } });
  }
}
