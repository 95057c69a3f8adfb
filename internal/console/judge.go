package console

import (
	"net/http"
	"strings"

	"aviso/internal/api/apierror"
)

// judge tells the form's fields what a refusal finds wrong with them, and returns the page's
// problem and status. The fields have the names of the members of the interface.
func (f *Form) judge(refusal *apierror.Error) (problem string, status int) {
	if refusal == nil {
		return "", http.StatusOK
	}
	problem = refusal.Detail
	for _, fault := range refusal.Fields {
		for i := range f.Fields {
			field := &f.Fields[i]
			part, ok := strings.CutPrefix(fault.Pointer, "/"+field.Name)
			if ok && (part == "" || part[0] == '/') {
				problem = "Please correct what is marked below."
				field.Problem = strings.TrimSpace(field.Problem + " " + faultInWords(part, fault.Detail))
			}
		}
	}
	return problem, refusalStatus(refusal.Code)
}

// faultInWords says what is wrong with a field, or a part of it.
func faultInWords(part, detail string) string {
	text := strings.TrimSuffix(detail, ".") + "."
	if part != "" {
		return part + ": " + text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
