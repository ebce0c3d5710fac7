import { describe, expect, it } from 'vitest'
import { readFlags, serviceTokenVariable } from '../../../src-main/app/flags'

describe("the app's flags", () => {
  it('set the clock to a time, or leave it alone', () => {
    expect(readFlags(['app']).now).toBeUndefined()
    expect(readFlags(['app', '--now', '2026-06-10T08:00:00+02:00']).now).toBe(Date.UTC(2026, 5, 10, 6))
    expect(readFlags(['app', '--now=2026-10-25T02:30:00+02:00']).now).toBe(Date.UTC(2026, 9, 25, 0, 30))
  })

  it('that redirect tokens and sign-ins work in development only', () => {
    const args = [
      'app',
      '--service-url',
      'http://127.0.0.1:9',
      '--service-token=x',
      '--open-links-to=/c',
      '--user-data',
      '/d',
    ]
    const environment = { [serviceTokenVariable]: 'y' }
    const elsewhere = { serviceUrl: 'http://127.0.0.1:9', serviceToken: 'y', openLinksTo: '/c' }
    expect(readFlags(args, environment)).toMatchObject({ ...elsewhere, userData: '/d' })
    const packaged = readFlags(args, environment, true)
    expect([packaged.serviceUrl, packaged.serviceToken, packaged.openLinksTo]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(packaged.userData).toBe('/d')
  })

  it('reject an invalid time with a message', () => {
    for (const args of [['--now', 'noon'], ['--now'], ['--now=']]) expect(() => readFlags(args)).toThrow(/^--now: /)
  })
})
