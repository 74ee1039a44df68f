import { z } from 'zod';
import { anyObject, recordId, text, timestamp } from '#fields';
import { STORABLE } from '#patterns';

const MAX_REASON = 1_000;

const tool = text('The name of the tool.', 'shop__refundOrder');

export const approvalStatus = z.enum(['pending', 'approved', 'denied', 'expired', 'cancelled']).meta({
  id: 'ApprovalStatus',
  description:
    'The status of an approval. `expired`: no one decided in time, which ends the run. `cancelled`: the run ended first.',
});

export const decisionText = z
  .string()
  .max(MAX_REASON)
  .regex(new RegExp(STORABLE), 'must not contain U+0000')
  .meta({ description: 'Why. The model sees the reason of a denial.' });

/** The data of the event `pending_approval`. */
export const pendingApproval = z.object({
  approvalId: recordId('approval'),
  agentId: recordId('agent'),
  runId: recordId('run'),
  tool,
  params: anyObject.meta({ description: 'The arguments, exactly as the tool gets them.' }),
  expiresAt: timestamp('When the wait ends.'),
});

/** The data of the event `approval_decided`. */
export const approvalDecided = z.object({ approvalId: recordId('approval'), tool, status: approvalStatus });
