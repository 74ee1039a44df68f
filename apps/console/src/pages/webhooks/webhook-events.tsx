import type { Webhook } from '#api/types.ts';
import { t } from '#texts/texts.ts';
import { Checkbox } from '#ui/field.tsx';

export type WebhookEventType = Webhook['events'][number];

const LABELS: Readonly<Record<WebhookEventType, string>> = {
  'document.indexed': t('webhooks.events.documentIndexed'),
  'document.failed': t('webhooks.events.documentFailed'),
  'document.deleted': t('webhooks.events.documentDeleted'),
  'sync.completed': t('webhooks.events.syncCompleted'),
  'sync.failed': t('webhooks.events.syncFailed'),
  'connector.error': t('webhooks.events.connectorError'),
  'feedback.created': t('webhooks.events.feedbackCreated'),
  'run.completed': t('webhooks.events.runCompleted'),
};

const isType = (name: string): name is WebhookEventType => Object.hasOwn(LABELS, name);

const TYPES: readonly WebhookEventType[] = Object.keys(LABELS).filter(isType);

/** Checkboxes for the events of a webhook. */
export function EventChoice({
  chosen,
  onChange,
}: {
  readonly chosen: readonly WebhookEventType[];
  readonly onChange: (chosen: readonly WebhookEventType[]) => void;
}) {
  return (
    <fieldset>
      <legend>{t('webhooks.eventsTitle')}</legend>
      {TYPES.map((type) => (
        <Checkbox
          key={type}
          label={
            <>
              {LABELS[type]} <span className="muted small mono">{type}</span>
            </>
          }
          isChecked={chosen.includes(type)}
          onChange={(isChecked) =>
            onChange(TYPES.filter((name) => (name === type ? isChecked : chosen.includes(name))))
          }
        />
      ))}
    </fieldset>
  );
}
