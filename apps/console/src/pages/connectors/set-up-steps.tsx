import type { SetUpGuide } from '#pages/connectors/set-up-guides.ts';
import { Icon } from '#ui/icon.tsx';

/** What to do at the source, before the form is filled in. */
export function SetUpSteps({ guide: { steps, link }, label }: { readonly guide: SetUpGuide; readonly label: string }) {
  return (
    <section className="card stack" aria-labelledby="set-up-steps">
      <h2 id="set-up-steps">Before you start</h2>
      <ol className="guide-steps">
        {steps.map((step) => (
          <li key={step}>{withCode(step)}</li>
        ))}
      </ol>
      {link === undefined ? null : (
        <p>
          <a href={link.url} target="_blank" rel="noreferrer">
            {link.label} <Icon name="outside" size={14} />
            <span className="visually-hidden"> (opens {label} in a new tab)</span>
          </a>
        </p>
      )}
    </section>
  );
}

/** Every second part of a text between backquotes is code. */
const withCode = (text: string) =>
  text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text do not move.
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
