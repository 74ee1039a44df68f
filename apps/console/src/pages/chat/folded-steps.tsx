import type { Step } from '#pages/chat/step.ts';
import { StepsView } from '#pages/chat/steps-view.tsx';
import { t } from '#texts/texts.ts';
import { RichText } from '#ui/rich-text.tsx';

/** The steps of an agent behind one line, which states what the agent does. */
export function FoldedSteps({ steps, isDone }: { readonly steps: readonly Step[]; readonly isDone: boolean }) {
  // The thread shows approvals itself, because they need a decision.
  const shown = steps.filter(({ approval }) => approval === undefined);
  if (shown.length === 0) return null;
  const calls = shown.filter(({ kind }) => kind === 'call');
  const running = calls.findLast(({ success }) => success === undefined);
  const failed = calls.filter(({ success }) => success === false).length;
  return (
    <details className="small">
      <summary className="muted">
        {isDone || running === undefined ? (
          calls.length === 0 ? (
            t('chat.steps.withoutTools')
          ) : (
            t(failed === 0 ? 'chat.steps.usedTools' : 'chat.steps.usedToolsWithFailures', {
              count: calls.length,
              failed,
            })
          )
        ) : (
          <RichText name="chat.steps.using" values={{ tool: running.text }} elements={{ code: <code /> }} />
        )}
      </summary>
      <StepsView steps={shown} />
    </details>
  );
}
