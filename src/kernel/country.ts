/** Countries by ISO 3166-1 alpha-2 code. EU membership decides the tax, so unknown codes are rejected. */
export const COUNTRY_CODES: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
  'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
  'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT ' +
  'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
  'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG ' +
  'UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW ' +
  // Kosovo: ISO has not assigned the code, but it is in general use for customers there.
  'XK'
).split(' ')

/** Members of the European Union, where the VAT directive applies. */
export const EU_MEMBERS: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
)

const ASSIGNED = new Set(COUNTRY_CODES)
const NAMES = new Intl.DisplayNames('en', { type: 'region' })

/** Returns the English name; an unknown code is returned unchanged. */
export const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (NAMES.of(code) ?? code) : code)

/** Codes from other lists that people enter, such as VAT prefixes and car plates. */
const MEANT: Readonly<Record<string, string>> = { EL: 'GR', UK: 'GB' }

/** Returns null for a country code; otherwise the error, worded to follow the field's name. */
export function countryIssue(code: string): string | null {
  if (ASSIGNED.has(code)) return null
  const meant = MEANT[code]
  return meant ? `is ${meant} in ISO 3166` : 'takes the two letters of ISO 3166, such as NL'
}
