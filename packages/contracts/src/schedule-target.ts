import type { ScheduleTarget } from '#gen/lectern/agent/v1/schedules';

/** Where the result of a scheduled run goes, as services store it and the API shows it. */
export type ScheduleTargetRecord =
  | { readonly type: 'webhook'; readonly webhookId: string }
  | { readonly type: 'slack'; readonly appId: string; readonly channel: string }
  | { readonly type: 'email'; readonly personId: string };

/** Converts a target to its message. */
export function toScheduleTarget(target: ScheduleTargetRecord): ScheduleTarget {
  switch (target.type) {
    case 'webhook':
      return { target: { $case: 'webhook', value: { webhookId: target.webhookId } } };
    case 'slack':
      return { target: { $case: 'slack', value: { appId: target.appId, channel: target.channel } } };
    case 'email':
      return { target: { $case: 'email', value: { personId: target.personId } } };
  }
}

/** Converts a message to a target. Undefined if this version does not know it. */
export function fromScheduleTarget(message: ScheduleTarget | undefined): ScheduleTargetRecord | undefined {
  switch (message?.target?.$case) {
    case 'webhook':
      return { type: 'webhook', ...message.target.value };
    case 'slack':
      return { type: 'slack', ...message.target.value };
    case 'email':
      return { type: 'email', ...message.target.value };
    default:
      return undefined;
  }
}
