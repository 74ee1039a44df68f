import { useEffect, useRef } from 'react';
import { THEMES, themeColors } from '#branding/colors.ts';
import { t } from '#texts/texts.ts';

const TEXT = { light: '#1b2030', dark: '#e8eaf0' } as const;

/** A sample of a page in one theme. The color is Lectern's own if `accent` is undefined. */
function Sample({
  name,
  theme,
  accent,
}: {
  readonly name: string;
  readonly theme: keyof typeof THEMES;
  readonly accent: string;
}) {
  const sample = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The policy of the page allows no style attributes in HTML, but scripts can set styles.
    const colors = themeColors(accent)[theme];
    const values = { ...colors, surface: THEMES[theme].surface, page: TEXT[theme] };
    for (const [use, value] of Object.entries(values)) sample.current?.style.setProperty(`--sample-${use}`, value);
  }, [accent, theme]);
  return (
    <div className="brand-sample" ref={sample}>
      <p className="small">{t(`settings.branding.themes.${theme}`)}</p>
      <p className="brand-sample-name">{name}</p>
      <p>
        <span className="brand-sample-button">{t('settings.branding.sampleButton')}</span>{' '}
        <span className="brand-sample-link">{t('settings.branding.sampleLink')}</span>{' '}
        <span className="brand-sample-soft">{t('settings.branding.sampleSelected')}</span>
      </p>
    </div>
  );
}

/** How the color looks in both themes, with the shades that the pages use. */
export function BrandingPreview({ name, accent }: { readonly name: string; readonly accent: string | undefined }) {
  const { light, dark } = themeColors(accent ?? '#4338ca');
  const isChanged =
    accent !== undefined && (light.accent !== accent.toLowerCase() || dark.accent !== accent.toLowerCase());
  return (
    <section className="stack" aria-label={t('settings.branding.preview')}>
      <h2>{t('settings.branding.preview')}</h2>
      <div className="brand-samples">
        <Sample name={name} theme="light" accent={accent ?? '#4338ca'} />
        <Sample name={name} theme="dark" accent={accent ?? '#4338ca'} />
      </div>
      {isChanged ? (
        <p className="muted small">{t('settings.branding.adjusted', { light: light.accent, dark: dark.accent })}</p>
      ) : null}
    </section>
  );
}
