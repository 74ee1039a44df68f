import type { Language } from '#analysis/languages';

/** The letters beyond a–z that a language written in Latin letters uses; English, which borrows them all, has none. */
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
