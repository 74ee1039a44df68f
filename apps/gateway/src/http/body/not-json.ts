import { AppError } from '@lectern/service-kit';

/** `invalid_request` for a body that is no JSON at all: JSON-RPC tells it from JSON of another shape. */
export class NotJson extends AppError {
  constructor(message: string) {
    super('invalid_request', `body: ${message}`, { details: { issues: [{ path: 'body', message }] } });
  }
}
