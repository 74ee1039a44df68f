import type { Step } from '#pages/chat/step.ts';
import { StepsView } from '#pages/chat/steps-view.tsx';
import { plural } from '#ui/plural.ts';

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
          <>
            {calls.length === 0 ? 'Worked without tools' : `Used tools: ${plural(calls.length, 'call')}`}
            {failed === 0 ? '' : `, ${failed} failed`}
          </>
        ) : (
          <>
            Using <code>{running.text}</code>…
          </>
        )}
      </summary>
      <StepsView steps={shown} />
    </details>
  );
}
