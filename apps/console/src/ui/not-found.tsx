import { Link } from 'wouter';
import { t } from '#texts/texts.ts';
import { PageHead } from '#ui/page-head.tsx';

export function NotFound() {
  return (
    <>
      <PageHead title={t('ui.pageNotFound')} />
      <p>
        <Link href="/">{t('ui.goToStart')}</Link>
      </p>
    </>
  );
}
