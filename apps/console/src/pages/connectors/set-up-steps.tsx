import type { SetUpGuide } from '#pages/connectors/set-up-guides.ts';
import { StepText } from '#pages/connectors/step-text.tsx';
import type { NumberedStep } from '#pages/connectors/steps-to-repeat.ts';
import { t } from '#texts/texts.ts';
import { Icon } from '#ui/icon.tsx';

/** What to do at the source, before the form is filled in. Marks the steps that a failed test leads to. */
export function SetUpSteps({
  guide: { steps, link },
  label,
  repeated,
}: {
  readonly guide: SetUpGuide;
  readonly label: string;
  readonly repeated: readonly NumberedStep[];
}) {
  return (
    <section className="card stack" aria-labelledby="set-up-steps">
      <h2 id="set-up-steps">{t('setUpGuides.title')}</h2>
      <ol className="guide-steps">
        {steps.map(({ name, text }) => {
          const isRepeated = repeated.some((step) => step.name === name);
          return (
            <li key={name} className={isRepeated ? 'guide-step-repeated' : undefined}>
              {isRepeated ? <strong>{t('setUpGuides.checkStep')} </strong> : null}
              <StepText text={text} />
            </li>
          );
        })}
      </ol>
      {link === undefined ? null : (
        <p>
          <a href={link.url} target="_blank" rel="noreferrer">
            {link.label} <Icon name="outside" size={14} />
            <span className="visually-hidden"> {t('setUpGuides.opensInNewTab', { label })}</span>
          </a>
        </p>
      )}
    </section>
  );
}
