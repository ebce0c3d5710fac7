import { describe, expect, it } from 'vitest'
import { faultCodes, FaultError, faultOf, faults } from '#shared/fault'

describe('what was thrown', () => {
  it('is a fault as it is', () => {
    const fault = { code: 'badAnswer', message: 'Half of it is missing' } as const
    expect(faultOf(new FaultError(fault))).toEqual(fault)
  })

  it.each([new RangeError('settings cannot be deleted'), new TypeError('x is undefined'), new Error('No'), 'text'])(
    'is a mistake of ours where nobody foresaw it: %s',
    (error) => {
      expect(faultOf(error)).toMatchObject({ code: 'mistake', message: expect.stringMatching(/./) as string })
    },
  )
})

describe('what a fault means', () => {
  it('stands for each code', () => {
    expect(Object.keys(faults).sort()).toEqual([...faultCodes].sort())
  })

  it('is never that of one entry where the service or this computer is in trouble', () => {
    const wide = faultCodes.filter((code) => faults[code].concerns !== 'entry')
    expect(wide).toEqual(['offline', 'unreachable', 'signInExpired', 'rateLimited', 'quotaSpent', 'storage'])
  })

  it('is that a write may have arrived only where an answer is missing or makes no sense', () => {
    const unknown = faultCodes.filter((code) => faults[code].mayHaveArrived)
    expect(unknown).toEqual(['answerLost', 'aborted', 'unavailable', 'badAnswer'])
  })

  it('is for a mistake of ours that the same again would go wrong again', () => {
    expect(faults.mistake).toEqual({ retry: false, concerns: 'entry', mayHaveArrived: false })
  })
})
