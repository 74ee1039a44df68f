import type { OperationSpec } from '@lectern/api-spec';
import { managedResource } from '#audit/management';
import { actorOf, recordAudit } from '#audit/record-audit';
import type { Context } from '#context';
import type { ApiResponse } from '#http/api-response';
import type { KeyedCall } from '#pipeline/operation';

function textIn(value: unknown, name: string): string | undefined {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** The names of the fields in a body. Their values can be secrets. */
function fieldsOf(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || 'parts' in body) return [];
  return Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

/**
 * Records a successful management operation in the audit log. A failure is only logged, because
 * the operation is done.
 */
export async function auditOperation(
  { db, log }: Context,
  operation: OperationSpec,
  params: unknown,
  body: unknown,
  call: KeyedCall,
  result: ApiResponse,
): Promise<void> {
  const resource = managedResource(operation);
  if (resource === undefined || result.kind !== 'data') return;
  const resourceId = textIn(params, resource.parameter) ?? textIn(result.data, 'id');
  const jobId = textIn(params, 'jobId') ?? textIn(result.data, 'jobId');
  const details = { fields: fieldsOf(body), ...(jobId === undefined ? {} : { jobId }) };
  try {
    await recordAudit(db, actorOf(call), { action: operation.id, resourceType: resource.type, resourceId, details });
  } catch (err) {
    log.error({ err, operation: operation.id }, 'could not record an operation in the audit log');
  }
}
