import type { Language } from '#analysis/languages';

/**
 * The letters beyond a–z of each language in Latin script. Empty for English, because English texts
 * borrow words with any of them.
 */
export const LANGUAGE_LETTERS: Partial<Record<Language, string>> = {
  de: 'äöüß',
  fr: 'àâæçèéêëîïôœùûü',
  es: 'áéíñóúü',
  it: 'àèéìòù',
  pt: 'àáâãçéêíóôõú',
  nl: 'éëïöü',
  sv: 'åäöé',
  da: 'æøåé',
  no: 'æøåéòô',
  fi: 'äöå',
  hu: 'áéíóöőúüű',
  ro: 'ăâîșțşţ',
  tr: 'âçğıîöşûü',
  pl: 'ąćęłńóśźż',
  cs: 'áčďéěíňóřšťúůýž',
  ca: 'àçèéíïòóúü',
  vi: 'àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ',
};
