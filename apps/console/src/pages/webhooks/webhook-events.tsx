import type { Webhook } from '#api/types.ts';
import { Checkbox } from '#ui/field.tsx';

export type WebhookEventType = Webhook['events'][number];

const LABELS: Readonly<Record<WebhookEventType, string>> = {
  'document.indexed': 'A document can be found',
  'document.failed': 'A document could not be indexed',
  'document.deleted': 'A document was deleted',
  'sync.completed': 'A sync ended',
  'sync.failed': 'A sync failed',
  'connector.error': 'A connector needs attention',
  'feedback.created': 'Somebody rated a reply',
  'run.completed': 'A run of an agent ended',
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
      <legend>Events</legend>
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
